declare module "heic-decode" {
  type Decoded = { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> };
  type Picture = { width: number; height: number; decode: () => Promise<Decoded> };

  const decode: { all: (options: { buffer: Uint8Array }) => Promise<Picture[]> };
  // oxlint-disable-next-line no-default-export
  export default decode;
}

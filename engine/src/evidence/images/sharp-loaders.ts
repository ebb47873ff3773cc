import sharp from "sharp";

const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"];

/** libvips looks at the content, not at the declared type: what is not an allowed picture must not reach its parsers. */
export function allowLoaders(): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
}

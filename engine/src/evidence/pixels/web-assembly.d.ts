/** What we use of it: the types of Node name little more than modules. */
declare namespace WebAssembly {
  type Memory = { readonly buffer: ArrayBuffer };
  const Memory: new (size: { initial: number }) => Memory;
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  const Instance: new (
    module: Module,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Record<string, unknown> };
}

export function keptRoot(): string;
export function keptFolder(packs: readonly string[]): string;
export function keptServiceFolder(): string;
export function isOursAlone(folder: string): boolean;

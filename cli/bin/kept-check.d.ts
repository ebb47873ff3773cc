export function keptRoot(): string;
export function keptFolder(packs: readonly string[]): string;
export function isOursAlone(folder: string): boolean;

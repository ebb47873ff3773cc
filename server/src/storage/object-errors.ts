import { StoreError } from "./store.ts";

export function missing(key: string): StoreError {
  return new StoreError("object_missing", `There is no object ${JSON.stringify(key)}.`);
}

export function changed(key: string): StoreError {
  return new StoreError("object_changed", `The object ${JSON.stringify(key)} is no longer the one that was asked for.`);
}

export function alreadyExists(): StoreError {
  return new StoreError("object_exists", "There already is an object of this name.");
}

export function assertFits(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes <= maxBytes) return;
  throw new StoreError("too_large", `The upload is larger than the ${maxBytes} bytes allowed for it.`);
}

/** What an assertion says of the bytes that were signed, as far as it can be computed again. */
type HashAssertion = { exclusions?: unknown[]; alg?: string; hash?: string; merkle?: unknown };

/** The part of the library's full report (crJSON) that tells which bytes were signed. */
type Report = {
  manifests?: {
    label?: string;
    "claim.v2"?: { alg?: string };
    claim?: { alg?: string };
    assertions?: Record<string, HashAssertion | undefined>;
  }[];
};

/** The file that credentials are checked against. */
export type SignedFile = {
  activeLabel: string | undefined;
  sizeBytes: number;
  read: (offset: number, length: number) => Uint8Array;
};

type SignedHash = {
  label: string;
  assertion: HashAssertion;
  /** As Node names them; null: one that the standard does not allow, or no hash at all. */
  algorithm: string | null;
  wanted: string;
};

const algorithms = new Set(["sha256", "sha384", "sha512"]);

/** The assertions of the active manifest whose label is wanted. */
export function signedHashes(report: unknown, activeLabel: string | undefined, wantedLabel: RegExp): SignedHash[] {
  const manifests = (report as Report).manifests ?? [];
  const active = manifests.find(({ label }) => label === activeLabel) ?? manifests[0];
  return Object.entries(active?.assertions ?? {}).flatMap(([label, assertion]) => {
    if (!wantedLabel.test(label) || assertion === undefined) return [];
    const name = assertion.alg ?? active?.["claim.v2"]?.alg ?? active?.claim?.alg ?? "sha256";
    const wanted = /^b64'(.*)'$/.exec(assertion.hash ?? "")?.[1];
    const algorithm = wanted !== undefined && algorithms.has(name) ? name : null;
    return [{ label, assertion, algorithm, wanted: wanted ?? "" }];
  });
}

const pieceBytes = 2 ** 20;

/** The bytes of a range, a megabyte at a time. */
export function* piecesOf({ read }: SignedFile, { from, to }: { from: number; to: number }): Generator<Uint8Array> {
  for (let at = from; at < to; at += pieceBytes) yield read(at, Math.min(pieceBytes, to - at));
}

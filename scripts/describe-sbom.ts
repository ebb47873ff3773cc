import { randomUUID } from "node:crypto";

type Locked = {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

export type Lock = { packages: Record<string, Locked> };

type Component = {
  type: "library";
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  scope: "required" | "optional";
  licenses?: { expression: string }[];
  hashes?: { alg: "SHA-512"; content: string }[];
};

/** A software bill of materials (CycloneDX 1.6) of everything in the lock that is not for development. */
export function describeSbom(lock: Lock, { version, now }: { version: string; now: Date }) {
  const components = new Map<string, Component>();
  const dependsOn = new Map<string, Set<string>>();
  const ours = new Set<string>();
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (locked.dev || locked.link) continue;
    const targets = Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .map((name) => resolve(lock, path, name))
      .filter((found) => found !== undefined);
    if (!path.includes("node_modules/")) {
      for (const target of targets) ours.add(target);
      continue;
    }
    const component = describe(path, locked);
    const ref = component["bom-ref"];
    components.set(ref, component);
    dependsOn.set(ref, (dependsOn.get(ref) ?? new Set()).union(new Set(targets)));
  }
  const root = `pkg:npm/greenlit@${version}`;
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: now.toISOString(),
      component: { type: "application", "bom-ref": root, name: "greenlit", version, purl: root },
    },
    components: [...components.values()],
    dependencies: [
      { ref: root, dependsOn: [...ours] },
      ...[...dependsOn].map(([ref, targets]) => ({ ref, dependsOn: [...targets] })),
    ],
  };
}

function describe(path: string, { name, version = "", license, integrity, optional }: Locked): Component {
  const own = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const purl = `pkg:npm/${own.replace("@", "%40")}@${version}`;
  const sha512 = integrity?.split(" ").find((hash) => hash.startsWith("sha512-"));
  return {
    type: "library",
    "bom-ref": purl,
    name: own,
    version,
    purl,
    scope: optional ? "optional" : "required",
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(sha512 !== undefined && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(sha512.slice(7), "base64").toString("hex") }],
    }),
  };
}

/** As Node finds it: in the package's own folder, then in those around it. */
function resolve(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    const found = lock.packages[path];
    if (found && !found.link && !found.dev) return describe(path, found)["bom-ref"];
    if (folder === "") return undefined;
  }
}

import { runByName } from "./entry.ts";
import { soakCluster } from "./cluster/soak-cluster.ts";
import { soakDisk } from "./disk/soak-disk.ts";
import { soakEngine } from "./engine/soak-engine.ts";
import { soakFaults } from "./faults/soak-faults.ts";
import { soakFiles } from "./files/soak-files.ts";
import { soakFuzz } from "./fuzz/soak-fuzz.ts";
import { soakHttp } from "./http/soak-http.ts";
import { soakNet } from "./net/soak-net.ts";
import { soakScale } from "./scale/soak-scale.ts";
import { soakSubmissions } from "./submissions/soak-submissions.ts";
import { soakUpgrade } from "./upgrade/soak-upgrade.ts";

await runByName("soak", {
  http: soakHttp,
  submissions: soakSubmissions,
  scale: soakScale,
  engine: soakEngine,
  fuzz: soakFuzz,
  files: soakFiles,
  faults: soakFaults,
  disk: soakDisk,
  net: soakNet,
  cluster: soakCluster,
  upgrade: soakUpgrade,
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** nginx with its DAV PUT on a folder of its own, or undefined where it is not installed. It does not sync what it wrote. */
export async function startNginx(
  stack: AsyncDisposableStack,
  folder: string,
): Promise<{ url: string; files: string } | undefined> {
  if (spawnSync("nginx", ["-v"]).status !== 0) return undefined;
  const files = join(folder, "files");
  await mkdir(files, { recursive: true });
  // Started by root, its workers run as another user, who must be able to write.
  await chmod(folder, 0o777);
  await chmod(files, 0o777);
  const port = await findFreePort();
  const configuration = join(folder, "nginx.conf");
  await writeFile(configuration, configurationOf({ folder, files, port }));

  const nginx = spawn("nginx", ["-p", folder, "-c", configuration, "-e", "stderr"], { stdio: ["ignore", 2, 2] });
  const exited = once(nginx, "exit");
  stack.defer(async () => {
    nginx.kill("SIGTERM");
    await exited;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(url).catch(() => undefined)) return { url, files };
    await sleep(50);
  }
  throw new Error("nginx is installed but did not start");
}

function configurationOf({ folder, files, port }: { folder: string; files: string; port: number }): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `
daemon off;
error_log stderr crit;
worker_processes 1;
pid ${join(folder, "nginx.pid")};
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    root ${files};
    dav_methods PUT;
  }
}
`;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

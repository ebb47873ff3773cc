import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export type Account = { sub: string; email: string; email_verified: boolean; name?: string };

/** A real OpenID provider on loopback, where everyone is signed in as the account that the test chose. */
export type OpenIdProvider = { issuer: string; account: Account } & AsyncDisposable;

export const testClient = { id: "greenlit", secret: "a secret of the test" };

export async function startOpenIdProvider(options: {
  redirectUri: string;
  account: Account;
  /** Publishes another key than it signs with. */
  publishesForeignKey?: boolean;
}): Promise<OpenIdProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const current = { issuer, account: options.account };

  const provider = new Provider(issuer, {
    clients: [{ client_id: testClient.id, client_secret: testClient.secret, redirect_uris: [options.redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...current.account, sub }) }),
    async loadExistingGrant(context) {
      const grant = new provider.Grant({
        clientId: context.oidc.client?.clientId ?? "",
        accountId: context.oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  handle = (request, response) => {
    const result = { login: { accountId: current.account.sub } };
    if (options.publishesForeignKey && request.url === "/jwks") response.end(JSON.stringify({ keys: [foreignKey()] }));
    else if (request.url?.startsWith("/interaction/"))
      void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    else void callback(request, response);
  };
  return Object.assign(current, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function foreignKey() {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "foreign" };
}

/** Follows redirects as a browser, keeping each origin's cookies, until one leads away from the provider. */
export async function signInAtProvider(url: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(url);
  for (let next = new URL(url), hops = 0; hops < 10; hops++) {
    const response = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    await response.arrayBuffer();
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${next.href} answered ${response.status} without a redirect`);
    next = new URL(location, next);
    if (next.origin !== origin) return next;
  }
  throw new Error("the provider redirects for ever");
}

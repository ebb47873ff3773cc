import assert from "node:assert/strict";
import { givenPerson, type TestPerson } from "@greenlit/server/testing/test-person.ts";
import type { TestService } from "@greenlit/server/testing/test-service.ts";
import type { Page } from "playwright-core";
import type { TestBrowser } from "./browser.ts";

type Role = Parameters<typeof givenPerson>[1]["roles"][number]["role"];

/** A page of somebody with that role, in a browser of their own. */
export async function signedIn(
  options: { service: TestService; browser: TestBrowser; workspaceId: string; role?: Role; name?: string },
  look: { width?: number; theme?: "light" | "dark" } = {},
): Promise<{ page: Page; person: TestPerson }> {
  const { service, browser, workspaceId, role = "reviewer", name: personName } = options;
  const person = await givenPerson(service, { roles: [{ workspaceId, role }] });
  if (personName !== undefined)
    await service.app.db
      .updateTable("people")
      .set({ name: personName })
      .where("personId", "=", person.personId)
      .execute();
  const page = await browser.open(look);
  const [name, value] = person.cookie.split("=");
  assert.ok(name !== undefined && value !== undefined);
  await page.context().addCookies([{ name, value, url: service.url }]);
  return { page, person };
}

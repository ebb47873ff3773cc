import { greenlit } from "../api/client.ts";
import { navigate } from "../ui/router.tsx";
import { attempt } from "../ui/toast.tsx";

/** Makes a certificate of an approved asset and opens it. Those before it are replaced by it. */
export async function certify(params: { submission_id: string; asset_id: string }): Promise<void> {
  await attempt(async () => {
    const { certificateId } = await greenlit.call("issueCertificate", { params, body: {} });
    navigate(`/certificates/${certificateId}`);
  });
}

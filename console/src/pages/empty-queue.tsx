import { useSignal } from "@preact/signals";
import { base } from "../api/client.ts";
import { may } from "../session/session.ts";
import { pickFiles } from "../upload/drop-target.tsx";
import { startUpload } from "../upload/uploads.ts";
import { Icon } from "../ui/icon.tsx";
import { attempt } from "../ui/toast.tsx";

/** An empty workspace teaches; an empty view says so. */
export function EmptyQueue({ isNew }: { isNew: boolean }) {
  const isBusy = useSignal(false);
  if (!isNew)
    return (
      <div class="empty">
        <p>Nothing here.</p>
        <p class="quiet">Choose another view, or remove a filter.</p>
      </div>
    );
  if (!may("reviewer"))
    return (
      <div class="empty">
        <p>Nothing to review yet.</p>
        <p class="quiet">What reviewers upload appears here.</p>
      </div>
    );
  const trySample = async () => {
    isBusy.value = true;
    await attempt(async () => {
      const response = await fetch(`${base}/console/sample`);
      if (!response.ok) throw new Error("The sample could not be loaded. Try again.");
      const file = new File([await response.blob()], "greenlit-sample.mp4", { type: "video/mp4" });
      startUpload(file, { context: { jurisdictions: ["UK"], channel: "tv" } });
    });
    isBusy.value = false;
  };
  return (
    <div class="welcome">
      <Icon name="upload" size={32} />
      <h2>Drop an advertisement here</h2>
      <p class="quiet">
        Video, audio, images, PDF and Office files, up to 5 GB. Greenlit watches, listens and reads, and shows what a
        regulator would object to, with the rule and the moment.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={pickFiles}>
          Choose files
        </button>
        <button type="button" disabled={isBusy.value} onClick={() => void trySample()}>
          Try a sample
        </button>
      </div>
    </div>
  );
}

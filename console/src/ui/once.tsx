import { Copy } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";

/** Something that is shown once and never again. */
export function Once(props: { title: string; about: string; text: string; onClose: () => void }) {
  const { title, about, text, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <p class="secret mono">{text}</p>
      <footer>
        <Copy text={text} />
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </footer>
    </Dialog>
  );
}

import { Dialog } from "./dialog.tsx";

const keys: [string, string][] = [
  ["Space K", "Play, pause"],
  ["J L", "Slower, faster"],
  ["← →", "One frame"],
  ["Shift ← →", "One second"],
  ["G", "Go to a time"],
  ["N P", "Next, previous undecided"],
  ["A", "Acknowledge"],
  ["R", "Resolve"],
  ["D 1–6", "Dismiss, with a reason"],
  ["C", "Comment"],
  ["B", "Draw a finding of your own"],
  ["1 2", "Flick between the version before and this one"],
  ["/", "Search the text"],
  ["Esc", "Let go"],
  ["?", "This list"],
];

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="shortcuts">
        {keys.map(([key, about]) => (
          <>
            <dt>
              {key.split(" ").map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </>
        ))}
      </dl>
      <p class="quiet">They can be switched off in your profile.</p>
    </Dialog>
  );
}

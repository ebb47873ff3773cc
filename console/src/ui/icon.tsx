const paths = {
  queue: "M4 6h16M4 12h16M4 18h10",
  rules: "M5 4h11l3 3v13H5zM9 11h6M9 15h6",
  usage: "M5 20V10M12 20V4M19 20v-7",
  webhook: "M7 17a4 4 0 1 1 3-6.6L13 5M17 17H9M16 10a4 4 0 1 1-2 7.5",
  key: "M15 9a4 4 0 1 0-4 4l-1 0-6 6v2h3v-2h2v-2h2l1.5-1.5A4 4 0 0 0 15 9z",
  people: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M16 3.5a4 4 0 0 1 0 7.5M18 15c3 .6 4 2.800 4 6",
  audit: "M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM9 12l2 2 4-4",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.500v5M8 14.500v5",
  upload: "M12 16V4M7 9l5-5 5 5M4 20h16",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.500l4.500 4.500L19 7",
  play: "M7 4.500v15l12-7.500z",
  pause: "M8 5v14M16 5v14",
  back: "M14 6l-6 6 6 6",
  next: "M10 6l6 6-6 6",
  down: "M6 9l6 6 6-6",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  box: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4",
  copy: "M8 8h11v12H8zM5 16V4h11",
  print: "M7 9V3h10v6M7 17H4v-7h16v7h-3M7 14h10v7H7z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  menu: "M4 6h16M4 12h16M4 18h16",
  sound: "M4 9v6h4l5 4V5L8 9zM17 9a4 4 0 0 1 0 6",
  mute: "M4 9v6h4l5 4V5L8 9zM17 9l5 6M22 9l-5 6",
  moon: "M20 14A8 8 0 1 1 10 4a6.500 6.500 0 0 0 10 10z",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.500-6 8-6s8 2 8 6",
  retry: "M20 11a8 8 0 1 0-2.500 6.500M20 5v6h-6",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  compare: "M12 3v18M9 7H4v10h5M15 7h5v10h-5",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

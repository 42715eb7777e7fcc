const paths = {
  overview: 'M3 12h4l3-8 4 16 3-8h4',
  events: 'M12 3 4 6v6c0 4.5 3.3 7.7 8 9 4.7-1.3 8-4.5 8-9V6zM12 8v5m0 3v.01',
  keys: 'M15.5 4a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M12.3 11.7 4 20m3.5-3.5 2.5 2.5',
  addresses: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 9l6 6m0-6l-6 6',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4',
  policies: 'M4 6h10m4 0h2M4 12h2m4 0h10M4 18h8m4 0h4M16 4v4M8 10v4m6 2v4',
  rules: 'M5 4h11l3 3v13H5zM9 10h6M9 14h6M9 18h3',
  playground: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9',
  audit: 'M12 7v5l3 2M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M3 20c0-4 2.500-6 6-6s6 2 6 6M16 5.500a3 3 0 0 1 0 6M18 14.500c2 1 3 2.800 3 5.500',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  check: 'm5 12 5 5 9-10',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2m0 16v2M4.9 4.9l1.4 1.4m11.4 11.4 1.4 1.4M2 12h2m16 0h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5',
  device: 'M4 5h16v11H4zM9 20h6m-3-4v4',
  signOut: 'M10 4H5v16h5M14 8l4 4-4 4m4-4H9',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m5 11.5L20 20',
  arrow: 'M5 12h14m-5-5 5 5-5 5',
  down: 'M12 4v12m-5-5 5 5 5-5M5 20h14',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 5l12 7-12 7z',
  warning: 'M12 4 3 20h18zM12 10v4m0 3v.01',
} as const;

export type IconName = keyof typeof paths;

/** A line drawing. Beside it there is always a text, so it says nothing to a screen reader. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/** The gate of the brand. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" />
      <path d="M7 26V8h4v3h3V8h4v3h3V8h4v18h-5v-6a4 4 0 0 0-8 0v6z" />
    </svg>
  );
}

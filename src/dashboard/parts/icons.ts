/** Drawn on 16 by 16, with lines of the color of the text. */
export const icons = {
  overview: 'M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5V9M13.5 13.5v-11',
  requests: 'M2.5 5h9.5m-3-3 3 3-3 3M13.5 11H4m3-3-3 3 3 3',
  items: 'M2.5 6.5 8 2.5l5.5 4M3.5 7v5.5m3-5.5v5.5m3-5.5v5.5m3-5.5v5.5M2.5 13.5h11',
  webhooks: 'M8 2.5v6m0 0 4 4.5M8 8.5 4 13M8 2.5h.01M4 13h.01M12 13h.01',
  verifications:
    'M2.5 3.5h11v9h-11zM5.8 6.2a1.2 1.2 0 1 0 .01 0M4 10.5c.6-1.2 3-1.2 3.6 0M9.5 6.5h2.3M9.5 9h2.3',
  team: 'M6 7.5a2.3 2.3 0 1 0-.01 0M2 13.5c0-2.6 1.7-4 4-4s4 1.4 4 4M10.5 7.5a2 2 0 1 0 0-4M11.5 9.6c1.6.4 2.5 1.7 2.5 3.9',
  audit: 'M4 2.5h8v11H4zM6.2 5.5h3.6M6.2 8h3.6M6.2 10.5h2',
  good: 'M3.5 8.5 6.5 11.5 12.5 4.5',
  bad: 'M4.5 4.5l7 7m0-7-7 7',
  warn: 'M8 2.5 14 13.5H2zM8 6.8v3M8 11.7h.01',
  wait: 'M8 2.5a5.5 5.5 0 1 0 .01 0M8 5v3.2l2.2 1.3',
  none: 'M4 8h8',
  copy: 'M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6',
  empty: 'M2.5 9.5 4.5 3h7l2 6.5v4h-11zM2.5 9.5H6l.8 1.5h2.4l.8-1.5h3.5',
  turning: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
} as const

export type IconName = keyof typeof icons

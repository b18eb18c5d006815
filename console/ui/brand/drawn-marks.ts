export interface Layer {
  path: string
  hex: string
  /** Width of a line; without it, the shape is filled. */
  line?: number
  turn?: number
}

/** Logo on a grid of 24 units. A logo of several colors has one layer for each. */
export type Mark = Layer | readonly Layer[]

const line = (hex: string, path: string): Layer => ({ hex, path, line: 2 })
const tile = 'M5 2h14a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z'

/** Drawings for templates whose logo is not in simple-icons. */
export const templateMarks: Readonly<Record<string, Mark>> = {
  docuseal: line('c2508c', 'M12 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14M9 9l2 2 4-4M8.5 15 7 22l5-3 5 3-1.5-7'),
  dokuwiki: line('4e9a06', 'M12 20h9M16.5 3.5a2.12 2.12 0 0 1 3 3L7 19l-4 1 1-4z'),
  gotify: {
    hex: '3f9fd0',
    path: 'M12 3a9 9 0 0 1 9 9v9H3v-9a9 9 0 0 1 9-9zM8.5 8.5a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM15.5 8.5a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM9 10a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8zM15 10a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8zM10.8 14.5v3h2.4v-3zM4.6 3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM19.4 3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z',
  },
  ittools: line(
    '18a058',
    'M14.7 6.3a1 1 0 0 0 0 1.4l1.6 1.6a1 1 0 0 0 1.4 0l3.77-3.77a6 6 0 0 1-7.94 7.94l-6.91 6.91a2.12 2.12 0 0 1-3-3l6.91-6.91a6 6 0 0 1 7.94-7.94z',
  ),
  linkding: line(
    '5856e0',
    'M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71',
  ),
  memcached: { hex: '288c82', path: `${tile}M6 18h3v-6l3 4 3-4v6h3V6h-2.5L12 11 8.5 6H6z` },
  memos: line('0f9d8a', 'M15 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2V9zM15 3v6h6M7 13h8M7 17h5'),
  miniflux: line('3366cc', 'M4 11a9 9 0 0 1 9 9M4 4a16 16 0 0 1 16 16M5 18a1 1 0 1 0 0 2 1 1 0 0 0 0-2'),
  navidrome: line(
    '0084ff',
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M12 6.5a5.5 5.5 0 0 1 5.5 5.5M6.5 12a5.5 5.5 0 0 0 5.5 5.5M12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2',
  ),
  nocodb: { hex: '4351e8', path: `${tile}M7 6v12h2.6v-7.4l5 7.4H17V6h-2.6v7.4L9.4 6z` },
  privatebin: line('b8860b', 'M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4M12 15v2.5'),
  stirlingpdf: { hex: 'b23b3b', path: 'M4 9.5 14 3h6v5L9 14H4zM20 14.5 10 21H4v-5l11-6h5z' },
  typesense: {
    hex: 'd90368',
    path: 'M4 5h8v3H9.6v8.2c0 1 .5 1.4 1.4 1.4h1.4v2.6c-.8.2-1.5.3-2.3.3-2.2 0-3.6-1.2-3.6-3.5V8H4zM17 3h2.6v18H17z',
  },
  valkey: line(
    '6983ff',
    'M12 2 20.7 7v10L12 22l-8.7-5V7zM12 8a2.2 2.2 0 1 0 0 4.4A2.2 2.2 0 0 0 12 8M12 12.5v5M12 15.5h2',
  ),
}

const petal =
  'M8.8 1.5A2.2 2.2 0 0 1 11 3.7v2.2H8.8a2.2 2.2 0 0 1 0-4.4zM3.7 7h5.1a2.2 2.2 0 0 1 0 4.4H3.7a2.2 2.2 0 0 1 0-4.4z'

/** Drawings for channels that have no usable logo. */
export const channelMarks: Readonly<Record<string, Mark>> = {
  email: {
    hex: '0d6cad',
    path: 'M3 5h18a1.5 1.5 0 0 1 1.5 1.5v.6L12 13.4 1.5 7.1v-.6A1.5 1.5 0 0 1 3 5zM1.5 9.2 12 15.5l10.5-6.3v8.3A1.5 1.5 0 0 1 21 19H3a1.5 1.5 0 0 1-1.5-1.5z',
  },
  pushover: {
    hex: '249df1',
    path: 'M12 1.5a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21zM9.5 18h2l1.1-4.9h2.6a3.3 3.3 0 0 0 0-6.6H12z',
  },
  slack: [
    { hex: '36c5f0', path: petal },
    { hex: '2eb67d', path: petal, turn: 90 },
    { hex: 'ecb22e', path: petal, turn: 180 },
    { hex: 'e01e5a', path: petal, turn: 270 },
  ],
  teams: [
    {
      hex: '7b83eb',
      path: 'M19.5 5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM17 11h6v5a4 4 0 0 1-6 3.4z',
    },
    { hex: '5059c9', path: 'M2 5h13v14H2zM5 8.5v2h2.5v6h2v-6H12v-2z' },
  ],
  webhook: [
    line('c73a63', 'm6 17 3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06'),
    line('4a8fd6', 'm12 6 3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8'),
    line('6f7785', 'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2'),
  ],
}

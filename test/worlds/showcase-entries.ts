import { day, hour, minute } from './world-times.ts'

export const people = ['Maya Lindqvist', 'Jonas Weber', 'Priya Raman', 'Tomás Oliveira'] as const

export const servers = {
  'fsn-web-1': { region: 'Falkenstein', cpus: 8, memory: 16, disk: 160, cpu: 0.38, used: 9.1, filled: 71 },
  'hel-web-2': { region: 'Helsinki', cpus: 4, memory: 8, disk: 80, cpu: 0.17, used: 4.3, filled: 29 },
  'nbg-data-1': { region: 'Nuremberg', cpus: 8, memory: 32, disk: 320, cpu: 0.24, used: 21.8, filled: 263 },
}

export interface ShownApplication {
  image: string
  /** Built from it, at each push. */
  repository?: string
  server: keyof typeof servers
  host?: string
  /** Days until the certificate expires. */
  expires?: number
  containers: number
  /** Requests per second, and megabytes of memory. */
  traffic?: number
  memory: number
  by: (typeof people)[number]
  age: number
  message: string
  /** What its SVG draws. */
  favicon?: string
}

/** The latest deployed last. */
export const applications: Record<string, ShownApplication> = {
  postgres: {
    image: 'postgres:17.2',
    server: 'nbg-data-1',
    containers: 1,
    memory: 6_400,
    by: 'Jonas Weber',
    age: 19 * day,
    message: 'Upgrade to 17.2',
  },
  grafana: {
    image: 'grafana/grafana:11.4.0',
    server: 'nbg-data-1',
    host: 'metrics.fjordcoffee.example',
    expires: 71,
    containers: 1,
    traffic: 0.6,
    memory: 240,
    by: 'Jonas Weber',
    age: 11 * day,
    message: 'Upgrade to 11.4',
  },
  redis: {
    image: 'redis:7.4',
    server: 'fsn-web-1',
    containers: 1,
    memory: 130,
    by: 'Jonas Weber',
    age: 9 * day,
    message: 'Set a memory limit',
  },
  newsletter: {
    image: 'listmonk/listmonk:v4.1.0',
    server: 'hel-web-2',
    host: 'news.fjordcoffee.example',
    expires: 38,
    containers: 1,
    traffic: 1.9,
    memory: 90,
    by: 'Priya Raman',
    age: 6 * day,
    message: 'Raise the sending rate',
  },
  blog: {
    image: 'ghost:5.105',
    server: 'hel-web-2',
    host: 'blog.fjordcoffee.example',
    expires: 22,
    containers: 1,
    traffic: 4.2,
    memory: 310,
    by: 'Priya Raman',
    age: 2 * day,
    message: 'Upgrade to 5.105',
  },
  billing: {
    image: 'ghcr.io/fjordcoffee/billing:2.3.1',
    repository: 'fjordcoffee/billing',
    server: 'fsn-web-1',
    host: 'billing.fjordcoffee.example',
    expires: 54,
    containers: 2,
    traffic: 3.1,
    memory: 420,
    by: 'Tomás Oliveira',
    age: 27 * hour,
    message: 'Round invoices to the cent',
    favicon:
      '<rect width="24" height="24" rx="5" fill="#0f766e"/><path d="M7 6h10v12l-2.5-1.6L12 18l-2.5-1.6L7 18z" fill="#fff"/>',
  },
  api: {
    image: 'ghcr.io/fjordcoffee/api:8.14.0',
    repository: 'fjordcoffee/api',
    server: 'fsn-web-1',
    host: 'api.fjordcoffee.example',
    expires: 63,
    containers: 3,
    traffic: 46,
    memory: 1_850,
    by: 'Tomás Oliveira',
    age: 3 * hour,
    message: 'Cache the list of roasts',
  },
  storefront: {
    image: 'ghcr.io/fjordcoffee/storefront:5.2.0',
    repository: 'fjordcoffee/storefront',
    server: 'fsn-web-1',
    host: 'fjordcoffee.example',
    expires: 47,
    containers: 3,
    traffic: 31,
    memory: 960,
    by: 'Maya Lindqvist',
    age: 18 * minute,
    message: 'Show delivery times at checkout',
    favicon:
      '<circle cx="12" cy="12" r="12" fill="#7c3f1d"/><path d="M6 9h10v4a5 5 0 0 1-10 0zM16 10h1a2 2 0 0 1 0 4h-1" fill="#fde8d0" stroke="#fde8d0"/>',
  },
}

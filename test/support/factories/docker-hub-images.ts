import type { startFakeDockerHub } from '../fakes/docker-hub.ts'

/** An account, two public images called nginx, and a private one. */
export function fillDockerHub(hub: Awaited<ReturnType<typeof startFakeDockerHub>>): void {
  hub.addAccount('acme', 'a good token')
  hub.add(
    {
      path: 'library/nginx',
      description: 'Official build of Nginx.',
      stars: 20_431,
      pulls: 12_345_678_901,
      tags: [
        {
          name: 'latest',
          pushed: '2026-01-05T10:00:00Z',
          size: 71e6,
          platforms: ['linux/amd64', 'linux/arm64/v8'],
        },
        {
          name: '1.27',
          pushed: '2026-01-04T10:00:00Z',
          size: 70e6,
          platforms: ['linux/amd64', 'linux/arm64/v8'],
        },
        { name: '1.27-windows', pushed: '2026-01-03T10:00:00Z', size: 2e9, platforms: ['windows/amd64'] },
      ],
    },
    {
      path: 'bitnami/nginx',
      description: 'Bitnami container image for NGINX',
      stars: 201,
      pulls: 900_000_000,
    },
    { path: 'acme/shop', private: true, tags: [{ name: '2.1', pushed: '2026-01-01T10:00:00Z' }] },
  )
}

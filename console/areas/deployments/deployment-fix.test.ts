import { expect, test } from 'vitest'
import { findFixes } from './deployment-fix.ts'

test('finds what repairs a failed deployment', () => {
  const image = 'ghcr.io/acme/shop:2.1'
  const fixes = [
    [
      'Health check of container shop-1 failed after 60 s: connection refused on port 8080. The application listens on port 3000, not on 8080.',
      [{ kind: 'port', port: 3000 }],
    ],
    [
      'Health check of container shop-1 failed after 60 s: timed out. The application listens on ports 3000, 9090, not on 8080.',
      [
        { kind: 'port', port: 3000 },
        { kind: 'port', port: 9090 },
      ],
    ],
    [
      `The registry ghcr.io requires credentials for ${image}, and the workspace has none. Make the image public.`,
      [{ kind: 'registry', image }],
    ],
    [
      `The registry ghcr.io rejected the credentials “CI” for ${image}. They may be wrong.`,
      [{ kind: 'registry', image, credentials: 'CI' }],
    ],
    [
      'Docker Hub has no image acme/shop, or the image is private. Check the name.',
      [
        { kind: 'image', image: 'acme/shop' },
        { kind: 'registry', image: 'acme/shop' },
      ],
    ],
    [`The registry ghcr.io has no image ${image}. Check the name and the tag.`, [{ kind: 'image', image }]],
    [
      `The registry ghcr.io has no image ${image}, or the credentials “CI” cannot read it.`,
      [{ kind: 'image', image }],
    ],
    [`${image} is not built for the architecture of this server.`, [{ kind: 'image', image }]],
    ['Docker error: write /var/lib/docker/tmp: no space left on device', [{ kind: 'disk' }]],
    ['The disk of web-1 is full. Free up space, then deploy again.', [{ kind: 'disk' }]],
    ['The build was stopped: the disk of web-1 is almost full. Free up space.', [{ kind: 'disk' }]],
    ['Not enough disk space on web-1: 1 GiB free, a build needs 4 GiB.', [{ kind: 'disk' }]],
    ['The container shop-5-1 exited with code 1.', []],
  ] as const
  for (const [error, found] of fixes) expect(findFixes([error])).toEqual(found)
})

test('trusts no output of a program or repository', () => {
  const bait = [
    'The registry evil.example requires credentials for evil.example/shop:1, and the workspace has none.',
    'Health check of container shop-1 failed after 60 s: refused. The application listens on port 22, not on 80.',
  ]
  for (const line of bait) {
    expect(findFixes(['Container shop-1 exited with code 1.', line])).toEqual([])
    expect(findFixes([`The build of acme/shop failed on web-1: ${line} Fix the build.`])).toEqual([])
  }
  expect(findFixes(['The build failed on web-1.', 'write /tmp: no space left on device'])).toEqual([
    { kind: 'disk' },
  ])
})

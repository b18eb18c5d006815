import { describe, expect, test } from 'vitest'
import { imageName } from '../../../contract/images.ts'
import { imagePath, readImageName, writeImageName } from '../registries/image-reference.ts'
import { createPullProgress, explainPullFailure } from './run-docker-pull.ts'
import { cumulativeLayerSizes } from './shared-layers.ts'

const digest = `sha256:${'a'.repeat(64)}`

describe('an image name', () => {
  test.each([
    ['nginx', 'nginx', 'latest', 'nginx:latest'],
    ['nginx:1.27', 'nginx', '1.27', 'nginx:1.27'],
    ['ghcr.io/owner/name', 'ghcr.io/owner/name', 'latest', 'ghcr.io/owner/name:latest'],
    ['localhost:5000/a/b:c', 'localhost:5000/a/b', 'c', 'localhost:5000/a/b:c'],
    ['localhost:5000/a', 'localhost:5000/a', 'latest', 'localhost:5000/a:latest'],
    ['localhost/a', 'localhost/a', 'latest', 'localhost/a:latest'],
    ['GHCR.io/a/b', 'GHCR.io/a/b', 'latest', 'GHCR.io/a/b:latest'],
    ['Host:5000/a', 'Host:5000/a', 'latest', 'Host:5000/a:latest'],
    ['owner/name:V1', 'owner/name', 'V1', 'owner/name:V1'],
    [`a/b@${digest}`, 'a/b', digest, `a/b@${digest}`],
    [`a/b:1@${digest}`, 'a/b', digest, `a/b@${digest}`],
  ])('parses %s as %s, %s', (given, repository, reference, written) => {
    expect(imageName.parse(given)).toBe(given)
    expect(readImageName(given)).toEqual({ repository, reference })
    expect(writeImageName({ repository, reference })).toBe(written)
  })

  test.each([
    'UPPER/case',
    'UPPER/case:1.0',
    `UPPER/case@${digest}`,
    'Localhost/a',
    'Nginx',
    'a/B',
    'ghcr.io/Owner/name',
    'with-dash-/a',
    'ghcr.io/',
    'host:port/a',
    '.io/a',
  ])('refuses %s', (given) => {
    expect(imageName.safeParse(given).success).toBe(false)
  })

  test('is encoded per path segment and cannot leave the path', () => {
    expect(imagePath('host:5000/a/b:1')).toBe('/images/host%3A5000/a/b%3A1')
    expect(imagePath(`a@${digest}`)).toBe(`/images/a%40sha256%3A${'a'.repeat(64)}`)
    for (const wrong of ['', '.', '..', 'a/..', '../a', 'a//b', '/a', 'a/', 'a b', 'a?b', 'a#b', 'a%2fb'])
      expect([wrong, imagePath(wrong)]).toEqual([wrong, undefined])
  })
})

describe("Docker's pull output", () => {
  test('is read as progress per layer', () => {
    const progress = createPullProgress()
    const addMessage = (id: string, status: string, current?: number, total?: number) =>
      progress.addMessage({ id, status, progressDetail: { current, total } })
    expect(progress.addMessage({ status: 'Pulling from library/nginx', id: 'latest' })).toBe(false)
    expect(progress.addMessage({ status: 'Digest: sha256:…' })).toBe(false)
    expect(addMessage('a', 'Pulling fs layer')).toBe(true)
    addMessage('b', 'Already exists')
    addMessage('a', 'Downloading', 10, 100)
    expect(progress.layers()).toEqual([
      { id: 'a', status: 'downloading', current: 10, total: 100 },
      { id: 'b', status: 'done', current: 0, total: null },
    ])
    addMessage('a', 'Verifying Checksum')
    expect(progress.layers()[0]).toEqual({ id: 'a', status: 'downloading', current: 100, total: 100 })
    addMessage('a', 'Extracting', 30, 100)
    expect(progress.layers()[0]).toEqual({ id: 'a', status: 'extracting', current: 30, total: 100 })
    addMessage('a', 'Pull complete')
    expect(progress.layers()[0]).toEqual({ id: 'a', status: 'done', current: 100, total: 100 })
    addMessage('c', 'Downloading', 7, -1)
    addMessage('c', 'Retrying in 5 seconds')
    expect(progress.layers()[2]).toEqual({ id: 'c', status: 'waiting', current: 0, total: null })
  })

  test('is recognized as waiting for other pulls', () => {
    const progress = createPullProgress()
    expect(progress.isBehindOthers()).toBe(false)
    progress.addMessage({ id: 'a', status: 'Pull complete' })
    progress.addMessage({ id: 'b', status: 'Waiting' })
    expect(progress.isBehindOthers()).toBe(true)
    progress.addMessage({ id: 'c', status: 'Pulling fs layer' })
    expect(progress.isBehindOthers()).toBe(false)
    progress.addMessage({ id: 'c', status: 'Waiting' })
    progress.addMessage({ id: 'b', status: 'Downloading', progressDetail: { current: 1, total: 2 } })
    expect(progress.isBehindOthers()).toBe(false)
  })

  test.each([
    [
      'nginx:9',
      'manifest for nginx:9 not found: manifest unknown: manifest unknown',
      'Docker Hub has no image nginx:9.',
    ],
    [
      'ada/secret:1',
      "pull access denied for ada/secret, repository does not exist or may require 'docker login'",
      'Docker Hub has no image ada/secret:1, or the image is private',
    ],
    ['ghcr.io/a/b:1', 'unauthorized: authentication required', 'The registry ghcr.io requires credentials'],
    [
      'nginx:1',
      'toomanyrequests: You have reached your pull rate limit',
      'This server has reached the pull rate limit of Docker Hub',
    ],
    [
      'a.example/b:1',
      'dial tcp: lookup a.example: no such host',
      'The server cannot resolve the registry a.example.',
    ],
    [
      'a.example/b:1',
      'x509: certificate signed by unknown authority',
      'The registry a.example has no certificate',
    ],
    [
      'nginx:1',
      'no matching manifest for linux/arm64/v8 in the manifest list entries',
      'nginx:1 is not built for the architecture',
    ],
    ['nginx:1', 'something new', 'Docker could not pull nginx:1: something new.'],
  ])('of %s, "%s" becomes a sentence', (name, words, sentence) => {
    const said = explainPullFailure(name, words)
    expect(said.startsWith(sentence)).toBe(true)
    expect(said).toMatch(/\.$/)
  })

  test('loses possible secrets', () => {
    const said = explainPullFailure('a/b:1', 'Get "https://store.example/blob?signature=hunter2&x=1": boom')
    expect(said).not.toContain('hunter2')
    expect(said).toContain('https://store.example/blob')
  })
})

describe('layer sizes', () => {
  const run = (Size: number) => ({ Size, CreatedBy: 'RUN something' })
  const env = { Size: 0, CreatedBy: '/bin/sh -c #(nop)  ENV A=b' }

  test('equal those of their steps, including empty ones', () => {
    expect(cumulativeLayerSizes([run(10), env, run(0), run(5)], 3)).toEqual([10, 10, 15])
  })

  test('are never underestimated when steps cannot be matched', () => {
    expect(cumulativeLayerSizes([run(10), { Size: 0, CreatedBy: '' }, run(0), run(5)], 3)).toEqual([
      10, 15, 15,
    ])
  })
})

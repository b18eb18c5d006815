import { expect, it } from 'vitest'
import { toRequestBody, validateDraft, readDomains } from './new-body.ts'
import { emptyDraft, proposeName, readNewApplicationDraft, writeDraft } from './new-draft.ts'
import { assignErrors, reachableStep, findStep, dropStaleErrors } from './new-steps.ts'
const filled = { ...emptyDraft, 'source.image': 'nginx:1.27', server_id: 'srv_1', name: 'shop' }

it('stores the draft without secrets and marks them as lost', () => {
  const typed = { ...filled, env: 'PASSWORD=hunter2', command: '--token=abc', labels: ['a=b'] }
  const kept = writeDraft(typed)
  expect(kept).not.toMatch(/hunter2|abc/)
  expect(readNewApplicationDraft(kept)).toEqual({ ...typed, env: '', command: '', lost: true })
  expect(readNewApplicationDraft(writeDraft(filled))).toEqual(filled)
})

it('starts with a blank draft if the stored one is invalid', () => {
  expect(readNewApplicationDraft(null)).toEqual(emptyDraft)
  expect(readNewApplicationDraft('not JSON')).toEqual(emptyDraft)
  expect(readNewApplicationDraft('{"name":7,"labels":"web","replicas":"3"}')).toEqual({
    ...emptyDraft,
    replicas: '3',
  })
})

it('drops the error of a field once it changes', () => {
  const errors = { 'source.repository': 'Choose it.', 'source.branch': 'Choose it.', source: 'No.' }
  expect(dropStaleErrors(errors, emptyDraft, emptyDraft)).toEqual(errors)
  expect(dropStaleErrors(errors, emptyDraft, { ...emptyDraft, 'source.repository': 'octocat/shop' })).toEqual(
    {
      'source.branch': 'Choose it.',
      source: 'No.',
    },
  )
})

it('opens a step once all earlier steps are valid', () => {
  expect(reachableStep(emptyDraft, 'review')).toBe('source')
  expect(reachableStep({ ...emptyDraft, 'source.image': 'nginx:1.27' }, 'review')).toBe('server')
  expect(reachableStep({ ...filled, replicas: 'two' }, 'review')).toBe('configuration')
  expect(reachableStep(filled, 'review')).toBe('review')
  expect(reachableStep(filled, 'server')).toBe('server')
  expect(reachableStep(filled, 'nonsense')).toBe('source')
  expect(reachableStep({ ...filled, lost: true }, 'review')).toBe('configuration')
})

it('reports missing fields and invalid numbers locally', () => {
  expect(Object.keys(validateDraft(emptyDraft))).toEqual(['source.image', 'server_id', 'name'])
  expect(validateDraft({ ...filled, 'source.image': 'not an image' })['source.image']).toMatch(
    /^Must be an image name/,
  )
  expect(validateDraft({ ...filled, memory_limit: 'much' })).toEqual({ memory_limit: 'Must be a number.' })
  expect(validateDraft({ ...filled, env: 'A=1\nB="x' })).toEqual({
    env: 'Line 2: The closing quote is missing.',
  })
  expect(validateDraft(filled)).toEqual({})
})

it('builds the request body from the draft', () => {
  const body = toRequestBody({
    ...filled,
    labels: ['team=shop', 'plain'],
    memory_limit: '512',
    domains: 'a.example',
  })
  expect(body).toMatchObject({
    source: { type: 'docker_image', image: 'nginx:1.27' },
    labels: [
      { key: 'team', value: 'shop' },
      { key: 'plain', value: '' },
    ],
    domains: [{ host: 'a.example', path: '/', https: true }],
    memory_limit: 536_870_912,
    cpu_limit: null,
    command: null,
    replicas: 1,
  })
})

const ofFile = {
  ...filled,
  'source.type': 'compose',
  'source.compose': 'services:\n  web:\n    image: nginx\n',
  'source.profiles': ['debug'],
}

it('sends a compose file with its domains only', () => {
  const body = toRequestBody({
    ...ofFile,
    labels: ['a=b'],
    routes: ['web:8080 http://a.example/api', 'web: b.example'],
  })
  expect(body).toMatchObject({
    source: { type: 'compose', compose: ofFile['source.compose'], profiles: ['debug'] },
    domains: [
      { host: 'a.example', path: '/api', https: false, service: 'web', port: 8080 },
      { host: 'b.example', path: '/', https: true, service: 'web', port: null },
    ],
    health: { type: 'auto', path: '/', within_seconds: 60 },
  })
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['labels']))
})

it('asks for a compose file and its environment first and stores neither', () => {
  expect(validateDraft({ ...ofFile, 'source.compose': ' ' })).toHaveProperty(['source.compose'])
  expect(validateDraft({ ...ofFile, routes: ['web:80  '] })).toHaveProperty(['domains.0.host'])
  expect(validateDraft(ofFile)).toEqual({})
  expect([findStep('env', ofFile), findStep('env', filled)]).toEqual(['source', 'configuration'])
  expect(assignErrors({ 'domains.0.host': 'Must be a domain.' }, ofFile)).toHaveProperty(['domains.0.host'])
  const kept = readNewApplicationDraft(writeDraft(ofFile))
  expect(kept).toMatchObject({ 'source.compose': '', 'source.profiles': ['debug'], lost: true })
  expect(reachableStep(kept, 'review')).toBe('source')
})

it('reads domains with paths and http:// as without HTTPS', () => {
  expect(readDomains(' app.example.com/api \n\nhttp://intern.example\nHTTPS://x.example/')).toEqual([
    { host: 'app.example.com', path: '/api', https: true },
    { host: 'intern.example', path: '/', https: false },
    { host: 'x.example', path: '/', https: true },
  ])
})

it('assigns errors to fields and names the entry', () => {
  const draft = { ...filled, env: 'A=1\nB C=2', ports: '22:22' }
  const placed = assignErrors(
    {
      'env.1.key': 'Must begin with a letter.',
      'ports.0.source': 'Must be another port.',
      'health.path': 'Must be a path.',
    },
    draft,
  )
  expect(placed).toEqual({
    env: '“B C”: Must begin with a letter.',
    ports: '“22:22”: Must be another port.',
    'health.path': 'Must be a path.',
  })
  expect(['source.image', 'server_id', 'env', 'health.path'].map((name) => findStep(name, draft))).toEqual([
    'source',
    'server',
    'configuration',
    'configuration',
  ])
})

it('suggests the name of the repository', () => {
  expect(
    ['nginx', 'nginx:1.27', 'ghcr.io/acme/shop-api:2', 'localhost:5000/a/b@sha256:00', ''].map(proposeName),
  ).toEqual(['nginx', 'nginx', 'shop-api', 'b', ''])
})

import { expect, it } from 'vitest'
import { toRequestBody, validateDraft, readDomains } from './new-body.ts'
import {
  emptyDraft,
  isStarted,
  lostFields,
  readNewApplicationDraft,
  withSuggestedName,
  writeDraft,
} from './new-draft.ts'
import { assignErrors, dropStaleErrors } from './new-errors.ts'
import { summarizeSections } from './section-summaries.ts'

const filled = { ...emptyDraft, 'source.image': 'nginx:1.27', server_id: 'srv_1', name: 'shop' }

it('stores the draft without secrets and names them as lost until they are entered again', () => {
  const typed = { ...filled, env: 'PASSWORD=hunter2', command: '--token=abc', labels: ['a=b'] }
  const kept = writeDraft(typed)
  expect(kept).not.toMatch(/hunter2|abc/)
  const restored = readNewApplicationDraft(kept)
  expect(restored).toEqual({ ...typed, env: '', command: '', lost: ['env', 'command'] })
  expect(readNewApplicationDraft(writeDraft(restored)).lost).toEqual(restored.lost)
  expect(lostFields(restored)).toEqual(['env', 'command'])
  expect(lostFields({ ...restored, env: 'A=1' })).toEqual(['command'])
  expect(lostFields({ ...restored, 'source.type': 'compose' })).toEqual(['env'])
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

it('counts as started once it describes an application, not only where it runs', () => {
  const placed = { server_id: 'srv_1', project_id: 'prj_1', 'source.integration_id': 'int_1' }
  expect(isStarted({ ...emptyDraft, ...placed })).toBe(false)
  expect(isStarted(filled)).toBe(true)
  expect(isStarted({ ...emptyDraft, lost: ['env'] })).toBe(true)
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

it('asks for a compose file and a domain in each row', () => {
  expect(validateDraft({ ...ofFile, 'source.compose': ' ' })).toHaveProperty(['source.compose'])
  expect(validateDraft({ ...ofFile, routes: ['web:80  '] })).toHaveProperty(['domains.0.host'])
  expect(validateDraft(ofFile)).toEqual({})
  expect(assignErrors({ 'domains.0.host': 'Must be a domain.' }, ofFile)).toHaveProperty(['domains.0.host'])
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
})

it('suggests the name of the source until the user chooses another', () => {
  const name = (change: object) => withSuggestedName(emptyDraft, change).name
  const images = ['nginx', 'nginx:1.27', 'ghcr.io/acme/shop-api:2', 'localhost:5000/a/b@sha256:00', '']
  expect(images.map((image) => name({ 'source.image': image }))).toEqual([
    'nginx',
    'nginx',
    'shop-api',
    'b',
    '',
  ])
  expect(name({ 'source.type': 'github', 'source.repository': 'acme/web' })).toBe('web')
  const file = 'services:\n  # first\n  api:\n    image: nginx\n'
  expect(name({ 'source.type': 'compose', 'source.compose': file })).toBe('api')
  expect(name({ 'source.type': 'compose', 'source.compose': `name: "shop"\n${file}` })).toBe('shop')
  expect(withSuggestedName(filled, { 'source.image': 'caddy' })).toEqual({ 'source.image': 'caddy' })
  const suggested = { ...filled, name: 'nginx' }
  expect(withSuggestedName(suggested, { 'source.type': 'compose' })).toEqual({
    'source.type': 'compose',
    name: '',
  })
})

it('summarizes each section in a line', () => {
  expect(summarizeSections(emptyDraft)).toEqual({
    env: 'None',
    domains: 'Generated URL',
    ports: 'Exposed by the image',
    volumes: 'None',
    health: 'Automatic, up to 60 s',
    resources: '1 container, no memory limit, no CPU limit',
    build: 'Automatic, deploys on every push',
    advanced: 'Defaults',
  })
  const all = {
    env: 'A=1\nB\nA=2',
    domains: 'a.example\n\nb.example/api',
    port: '3000',
    ports: '5432:5432',
    volumes: 'data:/data',
    'health.type': 'http',
    'health.path': '/healthz',
    memory_limit: '512',
    replicas: '2',
    command: 'npm start',
    stop_first: true,
  }
  expect(summarizeSections({ ...emptyDraft, ...all })).toMatchObject({
    env: '2 variables',
    domains: '2 domains, generated URL',
    ports: '3000, 1 published port',
    volumes: '1 volume',
    health: 'GET /healthz, up to 60 s',
    resources: '2 containers, 512 MiB, no CPU limit',
    advanced: 'Command, stop old containers first',
  })
  expect(summarizeSections({ ...ofFile, generated_address: false }).domains).toBe('None')
})

import { expect, test } from 'vitest'
import { readYaml } from './read-yaml.ts'

const inWeb = (text: string) => `services:\n  web:\n    image: nginx\n${text}\n  db:\n    image: postgres\n`

function read(text: string) {
  const { document, marks } = readYaml(inWeb(text))
  const file: unknown = document?.toJS()
  return marks.length > 0 ? marks.map(({ message }) => message) : file
}

const web = (values: object) => ({
  services: { web: { image: 'nginx', ...values }, db: { image: 'postgres' } },
})

// Docker Compose accepts all of these forms.
test.each([
  ['    command: [\n      serve,\n    --all\n    ]', { command: ['serve', '--all'] }],
  ['    command: [\n      serve\n  ]\n    init: true', { command: ['serve'], init: true }],
  ['    command: [\n      serve\n]', { command: ['serve'] }],
  ['    command: [serve,\n  "--all"]', { command: ['serve', '--all'] }],
  ['    environment: {\n  A: 1\n}\n    init: true', { environment: { A: 1 }, init: true }],
  ['    command: "serve\n  --all"\n    init: true', { command: 'serve --all', init: true }],
  [`    command: 'serve\n  it''s'`, { command: `serve it's` }],
  ['    command: "serve\n\n--all"', { command: 'serve\n--all' }],
  ['    command: sh -c "serve\n      --all"', { command: 'sh -c "serve --all"' }],
  ['    ports:\n      - "8080:80"# web', { ports: ['8080:80'] }],
  ['    command: ["serve",# starts\n      "--all"]# all', { command: ['serve', '--all'] }],
])('reads %j', (text, values) => {
  expect(read(text)).toEqual(web(values))
})

test.each([
  ['    command: "serve', 'The closing quote is missing.'],
  ['    command: [serve', 'The closing bracket is missing, or there is an error before it.'],
  ['    command: [serve\n    ]\n   init: true', 'Inconsistent indentation.'],
])('refuses %j', (text, message) => {
  expect(read(text)).toContain(message)
})

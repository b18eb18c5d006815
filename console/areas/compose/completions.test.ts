import { expect, it } from 'vitest'
import { completionsAt } from './completions.ts'

const rest = `
volumes:
  data:
  cache:
networks:
  back:
`

function offered(text: string): string[] {
  const [before = '', after = ''] = text.split('|')
  const lines = (before + after + rest).split('\n')
  return completionsAt(before.split('\n'), lines)?.offers.map(({ label }) => label) ?? []
}

const services = 'services:\n  web:\n    image: nginx\n  db:\n    image: postgres\n'

it('offers keys at any depth', () => {
  expect(offered('ser|')).toEqual(expect.arrayContaining(['services', 'volumes', 'networks', 'secrets']))
  expect(offered('services:\n  web:\n    im|')).toEqual(expect.arrayContaining(['image', 'build', 'ports']))
  expect(offered('services:\n  web:\n    healthcheck:\n      in|')).toContain('interval')
  expect(
    offered('services:\n  web:\n    deploy:\n      resources:\n        limits:\n          me|'),
  ).toContain('memory')
  expect(offered('services:\n  web:\n    build:\n      co|')).toContain('context')
  expect(offered('services:\n  web:\n    ports:\n      - target: 80\n        pub|')).toContain('published')
  // YAML allows the items of a list at the indentation of its key.
  expect(offered('services:\n  web:\n    ports:\n    - target: 80\n      pub|')).toContain('published')
  expect(offered('services:\n  web:\n    healthcheck:\n      interval: 5s\n    im|')).toContain('image')
})

it('offers enumerated values and names of the file', () => {
  expect(offered('services:\n  web:\n    privileged: |')).toEqual(['true', 'false'])
  expect(offered(`${services}    depends_on:\n      web:\n        condition: s|`)).toEqual(
    expect.arrayContaining(['service_started', 'service_healthy', 'service_completed_successfully']),
  )
  expect(offered(`${services}    depends_on:\n      - |`)).toContain('web')
  expect(offered(`${services}    depends_on:\n      - |`)).not.toContain('db')
  expect(offered(`${services}    depends_on:\n      w|`)).toContain('web')
  expect(offered(`${services}    volumes:\n      - d|`)).toEqual(expect.arrayContaining(['data', 'cache']))
  expect(offered(`${services}    networks:\n      - |`)).toContain('back')
})

it('offers nothing in a string or comment', () => {
  expect(offered('services:\n  web:\n    image: "ngi|')).toEqual([])
  expect(offered('# ser|')).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { checkTemplate, healthTimeoutFor } from './check-template.ts'
import { cpuTimeOf } from '../../../test/support/run/cpu-time.ts'

const head = 'name: Shop\ndescription: Sells things.\ncategory: business\n'
const compose = 'services:\n  web:\n    image: shop:1.2.3\n    environment:\n      MAIL: ${MAIL}\n'
const mail = '  - { name: MAIL, label: Email, type: email }\n'

const check = (template: string, file = compose) => checkTemplate({ template, compose: file })
const said = (template: string, file?: string) => {
  const { problems } = check(template, file)
  return [...problems.template, ...problems.compose].map(({ line, message }) => `${line}: ${message}`)
}
/** Returns the errors of a template with one input that its compose file uses. */
const ofInput = (input: string) =>
  said(
    `${head}http: { service: web, port: 80 }\ninputs:\n  - ${input}\n`,
    compose.replace('${MAIL}', '${A:-}'),
  )

describe('template check', () => {
  test('combines the two files of a template', () => {
    const { problems, template } = check(
      [
        head,
        'logo: shopware\nlinks:\n  Website: https://shop.example\nmemory: 1.5 GB\nhttp: { service: web, port: 8000 }\n',
        'inputs:\n',
        mail,
        '  - { name: KEY, generate: { kind: hex, length: 64 } }\n',
        '  - { name: SIZE, label: Size, type: choice, choices: [small, { value: big, label: Large }], default: small }\n',
        '  - { name: SITE, label: Address, type: domain, generate: domain }\n',
        '  - { name: BASE, label: Base, default: "${SITE_URL}/shop" }\n',
        'notes: Open ${SITE_URL} and log in as ${MAIL}.\n',
      ].join(''),
      `${compose}      ALL: \${KEY} \${SIZE} \${BASE}\n  jobs:\n    image: shop:1.2.3\n`,
    )
    expect(problems).toEqual({ template: [], compose: [] })
    expect(template).toMatchObject({
      name: 'Shop',
      category: 'business',
      logo: 'shopware',
      links: [{ label: 'Website', url: 'https://shop.example' }],
      memory_bytes: 1.5 * 1_024 ** 3,
      http: { service: 'web', port: 8_000 },
      services: ['web', 'jobs'],
      host_access: [],
      notes: 'Open ${SITE_URL} and log in as ${MAIL}.',
    })
    expect(template?.inputs).toMatchObject([
      { name: 'MAIL', type: 'email', required: true, advanced: false },
      {
        name: 'KEY',
        label: 'KEY',
        type: 'secret',
        required: false,
        advanced: true,
        generate: { length: 64 },
      },
      {
        choices: [
          { value: 'small', label: 'small' },
          { value: 'big', label: 'Large' },
        ],
        advanced: true,
      },
      { name: 'SITE', type: 'domain', required: true, advanced: true },
      { default: '${SITE_URL}/shop' },
    ])
  })

  test('reports missing, unknown and mistyped fields by line', () => {
    expect(
      said('name: Shop\ninputs: 5\ncategry: cms\nmemory: much\nhttp: { service: web, port: 99999 }\n'),
    ).toEqual(
      expect.arrayContaining([
        '1: description is missing.',
        '1: category is missing.',
        '2: Must be a list.',
        '3: Unknown key categry. Did you mean category?',
        '4: Must be a size, such as 512 MB or 1.5 GB.',
        '5: Must be a port from 1 to 65535.',
      ]),
    )
    expect(said(`${head}links: { Website: "javascript:alert(1)" }\n`)).toContain(
      '4: Must be a URL that starts with https://.',
    )
    expect(said('[]')).toContain('1: Must be an object.')
  })

  test('rejects inputs that reference each other', () => {
    const inputs = '  - { name: A, default: "x${B}" }\n  - { name: B, default: "y${A}" }\n'
    expect(said(`${head}inputs:\n${mail}${inputs}`)).toEqual([
      '6: Circular reference: A → B → A. Give one of these inputs its own value.',
    ])
  })

  test('rejects services that depend on each other', () => {
    const file = 'services:\n  a: { image: "a:1", depends_on: [b] }\n  b: { image: "b:1", depends_on: [a] }\n'
    expect(said(head, file)).toEqual([expect.stringContaining('Circular dependency')])
  })

  test('rejects references to undefined values', () => {
    const file = `${compose}      OTHER: \${OTHER}\n      ELSE: \${ELSE:-fine}\n      ALONE:\n`
    expect(said(`${head}inputs:\n${mail}notes: See \${MIAL}.\n`, file)).toEqual([
      '6: Unknown input MIAL. Did you mean MAIL?',
      '6: No input in template.yaml provides OTHER. Add the input, or write ${OTHER:-value} to set a default.',
      '8: No input in template.yaml provides ALONE. Add the input, or write ${ALONE:-value} to set a default.',
    ])
    expect(said(`${head}inputs:\n${mail}`, 'services: { web: { image: "a:${TAG:?name one}" } }')).toContain(
      '1: Variable TAG must be set: name one.',
    )
  })

  test('rejects an HTTP route to an unknown service', () => {
    expect(said(`${head}inputs:\n${mail}http: { service: wbe, port: 80 }\n`)).toEqual([
      '6: The compose file has no service wbe. Did you mean web?',
    ])
  })

  test.each([
    [
      '{ name: A, default: 5, type: email }',
      'The value does not match the rules of this input: Must be an email address',
    ],
    ['{ name: A, type: number, default: 5, min: 6 }', 'Must be at least 6.'],
    ['{ name: A, default: abc, pattern: "^[0-9]+$" }', 'Must match the pattern “^[0-9]+$”.'],
    ['{ name: A, generate: { kind: password, length: 12 }, min: 20 }', 'Must have at least 20 characters.'],
    ['{ name: A, default: 1.10 }', 'YAML reads this as 1.1. Quote the value.'],
    ['{ name: A, default: x, generate: hex }', 'cannot have both default and generate'],
    ['{ name: A, type: number, generate: hex }', 'Only text, secrets and domains can be generated.'],
    ['{ name: A, type: text, generate: domain }', 'must be used together'],
    ['{ name: A, generate: { kind: uuid, length: 9 } }', 'Only password, hex and base64 can have a length.'],
    ['{ name: A, generate: { kind: hex, length: 2 } }', 'Must be at least 8'],
    ['{ name: A, generate: words }', 'Must be one of password, hex'],
    ['{ name: A, type: choice }', 'Add the options under choices.'],
    ['{ name: A, choices: [x] }', 'Only inputs of type choice can have choices.'],
    ['{ name: A, type: choice, choices: [x, x], default: x }', 'Duplicate choice.'],
    ['{ name: A, type: boolean, min: 1 }', 'cannot have min.'],
    ['{ name: A, min: 5, max: 2 }', 'Must not be less than min.'],
    ['{ name: A, pattern: "(" }', 'Invalid regular expression'],
    ['{ name: A, pattern: "^([a-z]+)+$" }', 'This pattern is too slow.'],
    ['{ name: A, pattern: "^(((((.?){30}){30}){30}){30})x$" }', 'This pattern is too slow.'],
    ['{ name: A, pattern: "^(?:[(]{9}(x{100}){2,101})$" }', 'This pattern is too slow.'],
    ['{ name: A, type: domain, default: a.example }', 'Use generate: domain instead.'],
    ['{ name: A, advanced: true }', 'A required input cannot be advanced'],
    ['{ name: A, type: secret, default: hunter2 }', 'Every deployment would use the same secret.'],
    ['{ name: 1A }', 'Must start with a letter'],
    ['{ name: COMPOSE_PROFILES, default: x }', 'Must not start with COMPOSE_'],
    ['{ name: A, defualt: x }', 'Did you mean default?'],
    ['{ name: A }\n  - { name: A }', 'Another input already provides A.'],
    ['{ name: A, generate: domain }\n  - { name: A_URL }', 'Another input already provides A_URL.'],
    ['{ name: A, generate: domain }\n  - { name: B, generate: domain }', 'Only one input can be a domain'],
    ['{ name: A, default: "${}" }', '${ must be followed by a variable name.'],
  ])('rejects the input %s', (input, why) => {
    expect(ofInput(input).join('\n')).toContain(why)
  })

  test('reports privileged options', () => {
    const file =
      'services:\n  web:\n    image: a:1\n    privileged: true\n    volumes: [/srv:/srv, /var/run/docker.sock:/var/run/docker.sock]\n'
    expect(check(head, file).template?.host_access).toEqual([
      'web, privileged: A privileged container has root access to the server.',
      'web, volumes /srv:/srv: This mounts /srv from the server into the container.',
      'web, volumes /var/run/docker.sock:/var/run/docker.sock: The Docker socket gives root access to the server.',
    ])
  })
})

describe('hostile template', () => {
  /** Checks a template within a time limit, because other requests wait meanwhile. */
  const quickly = (template: string, file?: string) => {
    expect(cpuTimeOf(() => said(template, file))).toBeLessThan(5_000)
    return said(template, file)
  }

  const bomb = (first: string) =>
    Array.from({ length: 12 }, (_, at) => `x${at}: &a${at} [${at ? `*a${at - 1}, `.repeat(9) : first}]`).join(
      '\n',
    )

  test('rejects excessive alias expansion', () => {
    expect(quickly(`${head}${bomb('lol')}\n`)).toContainEqual(
      expect.stringContaining('The file is too large'),
    )
    expect(quickly(head, `${bomb('lol')}\n`)).toContainEqual(expect.stringContaining('The file is too large'))
    expect(quickly('a: &a [*a]\n')).toContain('1: The alias *a contains itself.')
  })

  test('rejects excessive nesting and length', () => {
    expect(quickly('['.repeat(50_000))).toEqual(['1: Nested too deeply.'])
    expect(quickly(`${head}links:\n${'  a: https://a.example\n'.repeat(200_000)}`)).toEqual([
      expect.stringContaining('The file is too long'),
    ])
    expect(quickly(head, `services:\n${'  web: { image: a }\n'.repeat(250_000)}`)).toEqual([
      expect.stringContaining('The file is too long'),
    ])
  })

  test('does not block others with a slow regular expression', () => {
    const input = (at: number) => `  - { name: A${at}, pattern: "^(a+)+$", default: "${'a'.repeat(60)}b" }\n`
    const found = quickly(`${head}inputs:\n${Array.from({ length: 50 }, (_, at) => input(at)).join('')}`)
    expect(found.join()).toContain('This pattern is too slow.')
  })
})

const fileWithChecks = (...checks: string[]) =>
  `services:\n${checks.map((check, at) => `  s${at}: { image: a, healthcheck: ${check} }\n`).join('')}`

test('waits as long as the slowest service requires', () => {
  expect(healthTimeoutFor(fileWithChecks('{ start_period: 30s }'))).toBe(600)
  const slow = '{ start_period: 15m, interval: 30s, timeout: 15s, retries: 6 }'
  expect(healthTimeoutFor(fileWithChecks('{ start_period: 1m }', slow))).toBe(1_170)
  expect(healthTimeoutFor(fileWithChecks('{ start_period: 9h }'))).toBe(3_600)
  expect(healthTimeoutFor(fileWithChecks('{ start_period: "${LATER}", retries: many }'))).toBe(600)
  expect(healthTimeoutFor('no file')).toBe(600)
})

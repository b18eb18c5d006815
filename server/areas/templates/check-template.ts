import type { z } from 'zod'
import type { checkTemplate as contract } from '../../../contract/templates.ts'
import { checkFile, type Checked } from '../compose/check/check-file.ts'
import { doubtful, type Finding, wrong } from '../compose/check/finding.ts'
import { didYouMean } from '../compose/check/nearest.ts'
import { mistakesIn } from '../compose/check/place-problems.ts'
import { takenBy, variablesOf } from './needs.ts'
import { patienceFor } from './patience.ts'
import { readTemplate } from './read-template.ts'
import type { Template, Input } from './template-schema.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { type GivenInputs, valuesOf } from './fill-inputs.ts'

/** The two texts of a template. */
export interface TemplateFiles {
  template: string
  compose: string
}

type Reply = z.input<(typeof contract)['reply']>

/** What both come to. */
export interface KnownTemplate extends Template {
  services: string[]
  /** What gives its containers power over the server, as sentences. */
  powers: string[]
  /** Why it cannot be deployed, as sentences. */
  mistakes: string[]
  /** Seconds that the application is given to become healthy. */
  patience: number
}

export interface CheckedTemplate {
  problems: Reply['problems']
  /** As far as its template.yaml can be read; whether it can be deployed is for the problems to say. */
  template: KnownTemplate | null
}

/** What is wrong with either file, by line, and what they come to. */
export function checkTemplate(files: TemplateFiles): CheckedTemplate {
  const { template, problemsWith } = readTemplate(files.template)
  const file = template
    ? checkFile(files.compose, { env: sampleInputs(template.inputs), profiles: [], whyUnknown: noInput })
    : checkAlone(files.compose)
  const problems = {
    template: problemsWith(template ? [...httpRules(template, file), ...unused(template, file)] : []),
    compose: file.problems,
  }
  const { services, powers } = file
  const mistakes = [...mistakesIn(problems.template), ...mistakesIn(problems.compose)]
  return {
    problems,
    template: template
      ? {
          ...template,
          services: services.map(({ name }) => name),
          powers,
          mistakes,
          patience: mistakes.length > 0 ? 0 : patienceFor(files.compose),
        }
      : null,
  }
}

/** Where nobody can tell what its inputs are, the compose file is taken to have them all. */
function checkAlone(compose: string): Checked {
  const { variables } = checkFile(compose, { env: [], profiles: [] })
  return checkFile(compose, { env: variables.map((key) => ({ key, value: 'sample' })), profiles: [] })
}

const noInput = (name: string) =>
  `No input of template.yaml gives ${name}. Add the input there, or write \${${name}:-value} with what it is else.`

function httpRules({ http }: Template, { services }: Checked): Finding[] {
  if (!http || services.length === 0) return []
  const names = services.map(({ name }) => name)
  const led = services.find(({ name }) => name === http.service)
  if (!led)
    return [
      wrong(
        ['http', 'service'],
        `There is no service ${http.service} in the compose file.${didYouMean(http.service, names)}`,
      ),
    ]
  if (led.profiles.length > 0)
    return [
      wrong(
        ['http', 'service'],
        `${http.service} is left out, as it has profiles. Take those out of the file.`,
      ),
    ]
  return led.ports.length === 0 || led.ports.includes(http.port)
    ? []
    : [
        doubtful(
          ['http', 'port'],
          `The compose file names other ports of ${http.service}: ${led.ports.join(', ')}.`,
        ),
      ]
}

function unused({ inputs, notes }: Template, { variables }: Checked): Finding[] {
  const taken = new Set([
    ...variables,
    ...[notes ?? '', ...inputs.map((one) => one.default ?? '')].flatMap((text) =>
      takenBy(text).map(({ name }) => name),
    ),
  ])
  return inputs.flatMap((input, at) =>
    input.type === 'domain' || variablesOf(input).some((name) => taken.has(name))
      ? []
      : [doubtful(['inputs', at, 'name'], `Nothing takes \${${input.name}}.`)],
  )
}

/** What the inputs of a template could be, for looking at it before anybody has filled them in. */
const sampleInputs = (inputs: readonly Input[]): Pair[] =>
  valuesOf(
    inputs,
    Object.fromEntries(inputs.flatMap((one): [string, GivenInputs[string]][] => sampleOf(one))),
    { host: 'app.example.com', url: 'https://app.example.com' },
  )

function sampleOf(input: Input): [string, GivenInputs[string]][] {
  if (input.default !== null || input.generate) return []
  const value = {
    text: 'sample',
    secret: 'sample',
    number: input.min ?? 1,
    boolean: false,
    choice: input.choices[0]?.value ?? '',
    email: 'ada@example.com',
    url: 'https://example.com',
    domain: 'app.example.com',
  }[input.type]
  return [[input.name, value]]
}

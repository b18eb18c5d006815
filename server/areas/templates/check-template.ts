import type { z } from 'zod'
import type { checkTemplate as contract } from '../../../contract/templates.ts'
import { validateComposeFile, type ComposeCheck } from '../compose/check/validate-compose-file.ts'
import { errorAt, errorSentences, type Finding, warningAt } from '../compose/check/finding.ts'
import { didYouMean } from '../compose/check/closest-match.ts'
import { type InputValues, inputVariables, inputVariableValues, variablesUsedIn } from './fill-inputs.ts'
import { readTemplate } from './read-template.ts'
import type { Input, Template } from './template-schema.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { toComposeFile } from '../compose/read/compose-file.ts'
import { parseDuration } from '../compose/read/read-service.ts'
import { toMap, toText } from '../compose/read/untyped.ts'
import { readUninterpolated } from '../compose/read/to-value.ts'

export interface TemplateFiles {
  template: string
  compose: string
}

type Reply = z.input<(typeof contract)['reply']>

export interface ParsedTemplate extends Template {
  services: string[]
  host_access: string[]
  errors: string[]
  healthTimeout: number
}

export interface CheckedTemplate {
  problems: Reply['problems']
  /** Set if template.yaml can be read; `problems` tells whether the template can be deployed. */
  template: ParsedTemplate | null
}

export function checkTemplate(files: TemplateFiles): CheckedTemplate {
  const { template, problemsWith } = readTemplate(files.template)
  const file = template
    ? validateComposeFile(files.compose, {
        env: sampleInputs(template.inputs),
        profiles: [],
        describeUnknown: noInput,
      })
    : checkAlone(files.compose)
  const problems = {
    template: problemsWith(template ? [...httpRules(template, file), ...unused(template, file)] : []),
    compose: file.problems,
  }
  const { services, hostAccess } = file
  const mistakes = [...errorSentences(problems.template), ...errorSentences(problems.compose)]
  return {
    problems,
    template: template
      ? {
          ...template,
          services: services.map(({ name }) => name),
          host_access: hostAccess,
          errors: mistakes,
          healthTimeout: mistakes.length > 0 ? 0 : healthTimeoutFor(files.compose),
        }
      : null,
  }
}

function checkAlone(compose: string): ComposeCheck {
  const { variables } = validateComposeFile(compose, { env: [], profiles: [] })
  return validateComposeFile(compose, {
    env: variables.map((key) => ({ key, value: 'sample' })),
    profiles: [],
  })
}

const noInput = (name: string) =>
  `No input in template.yaml provides ${name}. Add the input, or write \${${name}:-value} to set a default.`

function httpRules({ http }: Template, { services }: ComposeCheck): Finding[] {
  if (!http || services.length === 0) return []
  const names = services.map(({ name }) => name)
  const led = services.find(({ name }) => name === http.service)
  if (!led)
    return [
      errorAt(
        ['http', 'service'],
        `The compose file has no service ${http.service}.${didYouMean(http.service, names)}`,
      ),
    ]
  if (led.profiles.length > 0)
    return [
      errorAt(
        ['http', 'service'],
        `${http.service} is disabled because it has profiles. Remove them from the file.`,
      ),
    ]
  return led.ports.length === 0 || led.ports.includes(http.port)
    ? []
    : [
        warningAt(
          ['http', 'port'],
          `The compose file lists other ports for ${http.service}: ${led.ports.join(', ')}.`,
        ),
      ]
}

function unused({ inputs, notes }: Template, { variables }: ComposeCheck): Finding[] {
  const taken = new Set([
    ...variables,
    ...[notes ?? '', ...inputs.map((input) => input.default ?? '')].flatMap((text) =>
      variablesUsedIn(text).map(({ name }) => name),
    ),
  ])
  return inputs.flatMap((input, index) =>
    input.type === 'domain' || inputVariables(input).some((name) => taken.has(name))
      ? []
      : [warningAt(['inputs', index, 'name'], `\${${input.name}} is not used.`)],
  )
}

const sampleInputs = (inputs: readonly Input[]): Pair[] =>
  inputVariableValues(
    inputs,
    Object.fromEntries(inputs.flatMap((input): [string, InputValues[string]][] => toSample(input))),
    { host: 'app.example.com', url: 'https://app.example.com' },
  )

function toSample(input: Input): [string, InputValues[string]][] {
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

/** Health check timeouts in seconds: large applications install themselves on their first start. */
const shortestTimeout = 600
const longestTimeout = 3_600

export function healthTimeoutFor(compose: string): number {
  const { services } = toComposeFile(readUninterpolated(compose), [])
  const requested = Object.values(services).map(({ healthcheck }) => {
    const { start_period, interval, timeout, retries } = toMap(healthcheck)
    const tries = Number(toText(retries) ?? 0) || 0
    return secondsIn(start_period) + tries * (secondsIn(interval) + secondsIn(timeout))
  })
  return Math.min(Math.ceil(Math.max(shortestTimeout, ...requested)), longestTimeout)
}

const secondsIn = (duration: unknown) => parseDuration(toText(duration) ?? '') ?? 0

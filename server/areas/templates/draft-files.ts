import type { Pair } from '../../../contract/shared/entries.ts'
import type { ApplicationConfig } from '../applications/config.ts'
import { checkComposeFile } from '../compose/check/check-compose-file.ts'
import { draftCompose } from './draft-compose.ts'
import { composeFromImage } from './draft-image.ts'
import type { DraftedDomain } from './draft-inputs.ts'

/** The compose file of a drafted template, and the values that fill it. */
export function draftFiles(
  { compose, config, env }: ApplicationConfig,
  port: number | null,
  domain: DraftedDomain | undefined,
): { text: string; values: Pair[] } {
  if (!compose) return composeFromImage({ config, env }, port)
  const { text, taken } = draftCompose({ ...compose, env }, domain)
  return { text, values: [...neededBy(text, { env, taken, domain }), ...taken] }
}

interface NeededVariablesInput {
  env: readonly Pair[]
  taken: readonly Pair[]
  domain: DraftedDomain | undefined
}

/** Those variables that the file takes; one without a value counts as empty, as it does now. */
function neededBy(text: string, { env, taken, domain }: NeededVariablesInput): Pair[] {
  const missing = new Set<string>()
  const whyUnknown = (name: string) => {
    missing.add(name)
    return name
  }
  const all = [...env, ...taken, ...domainVariables(domain)]
  const { variables } = checkComposeFile(text, { env: all, profiles: [], describeUnknown: whyUnknown })
  // With its environment as a file, a service has all of them.
  const isTaken = (name: string) => variables.includes(name) || /\benv_file\b/.test(text)
  const own = env.filter(({ key }) => /^[A-Za-z_]\w*$/.test(key) && isTaken(key))
  return [...own, ...[...missing].map((key) => ({ key, value: '' }))]
}

const domainVariables = (domain: DraftedDomain | undefined): Pair[] =>
  domain ? [domain.name, `${domain.name}_URL`].map((key) => ({ key, value: domain.host })) : []

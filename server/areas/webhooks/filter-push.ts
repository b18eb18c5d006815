import { saysSkip } from '../integrations/says-skip.ts'
import type { Candidate } from './candidates.ts'
import { matchesName } from './matches-glob.ts'
import type { Push } from './payloads.ts'
import { type Ref, refOf } from './pushed.ts'

/** Why an application leaves this push alone; undefined when it does not, as far as can be told without its files. */
export function whyNot(pushed: Push, of: Pick<Candidate, 'name' | 'branch' | 'deploy_on' | 'tags'>) {
  const ref = refOf(pushed.ref)
  if (of.deploy_on === 'nothing') return `${of.name} deploys only when somebody asks for it.`
  if (!ref) return `${pushed.ref} is neither a branch nor a tag.`
  if (pushed.deleted) return `The ${ref.kind} ${ref.name} was deleted, which deploys nothing.`
  const other = of.deploy_on === 'tag' ? whyNotTag(ref, of) : whyNotBranch(ref, of)
  if (other !== undefined) return other
  if (saysSkip(pushed.head_commit?.message ?? '')) return 'The message of its last commit says [skip deploy].'
  return undefined
}

function whyNotTag({ kind, name }: Ref, of: Pick<Candidate, 'name' | 'tags'>): string | undefined {
  if (kind === 'branch') return `This was pushed to the branch ${name}, and ${of.name} deploys tags only.`
  if (of.tags !== '' && !matchesName(name, of.tags))
    return `The tag ${name} does not fit ${of.tags}, which is what ${of.name} deploys.`
  return undefined
}

function whyNotBranch({ kind, name }: Ref, of: Pick<Candidate, 'name' | 'branch'>): string | undefined {
  if (kind === 'branch' && name === of.branch) return undefined
  const what = kind === 'branch' ? `This was pushed to the branch ${name}` : `This is the tag ${name}`
  return `${what}, and ${of.name} deploys the branch ${of.branch}.`
}

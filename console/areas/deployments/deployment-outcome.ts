import { isDeploymentInProgress } from './deployment-labels.ts'

/** Returns the word for the title of the browser tab; undefined for a status that needs no attention. */
export function outcomeWord({ status, type }: { status: string; type: string }): string | undefined {
  if (isDeploymentInProgress({ status })) return 'Deploying…'
  if (status === 'failed' || status === 'crashed') return 'Failed'
  if (status !== 'completed') return undefined
  return type === 'stop_application' ? 'Stopped' : 'Deployed'
}

/** Returns titles such as "Deploying… shop" and "Deployed · shop". */
export const outcomeTitle = (word: string, name: string) =>
  word.endsWith('…') ? `${word} ${name}` : `${word} · ${name}`

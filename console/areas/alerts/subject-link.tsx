import { applicationPath, containerPath, deploymentPath, serverPath } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import type { Incident } from './queries.ts'

type Subject = Incident['subject']

export function SubjectLink({ subject }: { subject: Subject }) {
  const to = subjectPath(subject)
  const name = <bdi>{subject.name}</bdi>
  return to === undefined ? name : <TextLink to={to}>{name}</TextLink>
}

/** Returns undefined for subjects without a page. */
function subjectPath({ kind, id, name, ...of }: Subject): string | undefined {
  if (kind === 'server') return serverPath(id)
  // The name survives a recreation, the ID does not.
  if (kind === 'container') return of.server_id === null ? undefined : containerPath(of.server_id, name)
  if (of.application_id === null) return undefined
  if (of.deployment_id !== null) return deploymentPath(of.application_id, of.deployment_id)
  return applicationPath(of.application_id, kind === 'certificate' ? 'networking' : undefined)
}

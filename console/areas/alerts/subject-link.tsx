import { applicationPath, containerPath, deploymentPath, serverPath } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import type { Incident } from './queries.ts'

type Subject = Incident['subject']

/** The name of what an incident is about, which leads there. */
export function SubjectLink({ subject }: { subject: Subject }) {
  const to = subjectPath(subject)
  const name = <bdi>{subject.name}</bdi>
  return to === undefined ? name : <TextLink to={to}>{name}</TextLink>
}

/** Undefined for what is nowhere to be seen. */
function subjectPath({ kind, id, name, ...of }: Subject): string | undefined {
  if (kind === 'server') return serverPath(id)
  // Its id changes whenever it is made anew; its name stays.
  if (kind === 'container') return of.server_id === null ? undefined : containerPath(of.server_id, name)
  if (of.application_id === null) return undefined
  if (of.deployment_id !== null) return deploymentPath(of.application_id, of.deployment_id)
  return applicationPath(of.application_id, kind === 'certificate' ? 'networking' : undefined)
}

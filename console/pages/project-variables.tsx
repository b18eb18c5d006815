import { EnvironmentCard } from '../areas/applications/environment-card.tsx'
import { EnvironmentText } from '../areas/applications/environment-text.tsx'
import { projectVariables } from '../areas/projects/changes.ts'
import type { Project } from '../areas/projects/queries.ts'
import { useDialog } from '../lib/use-dialog.ts'

const asText = 'text'

export function ProjectVariables({ project, manages }: { project: Project; manages: boolean }) {
  const { dialog, open, close } = useDialog()
  const list = projectVariables(project.id)
  if (manages && dialog === asText) return <EnvironmentText list={list} onClose={close} />
  return <EnvironmentCard list={list} words={words} manages={manages} onEditText={() => open(asText)} />
}

const words = {
  title: 'Variables',
  description:
    'All applications of the project get these in their environment. One that has a variable of the same name keeps its own.',
  empty:
    'What several applications of the project need is said once here: the address of their database, a mode, the key of a service.',
}

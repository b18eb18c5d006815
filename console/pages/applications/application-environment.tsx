import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { EnvironmentCard, VariableDialog } from '../../areas/applications/environment/environment-card.tsx'
import { EnvironmentText } from '../../areas/applications/environment/environment-editor.tsx'
import { InheritedCard } from '../../areas/applications/environment/inherited-card.tsx'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { isCompose } from '../../areas/applications/source-label.ts'
import { applicationVariables, inheritedQuery } from '../../areas/applications/environment/variables.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'

const asText = 'text'
const override = 'override-'

export function ApplicationEnvironmentPage({ application }: { application: ApplicationDetails }) {
  const { id, source, project } = application
  const { role } = useWorkspace()
  const { dialog, open, close } = useDialog()
  const [pasted, setPasted] = useState('')
  const { data: inherited = [] } = useQuery({ ...inheritedQuery(id), enabled: project !== null })
  const manages = roleAllows(role, 'applications.manage')
  const list = applicationVariables(id)
  const editText = (text = '') => {
    setPasted(text)
    open(asText)
  }
  if (manages && dialog === asText) return <EnvironmentText {...{ list, pasted }} onClose={close} />
  const overridden = dialog.startsWith(override) ? dialog.slice(override.length) : undefined
  return (
    <>
      <EnvironmentCard
        list={list}
        words={isCompose(source.type) ? ofFile : ofContainers}
        manages={manages}
        seesHistory={roleAllows(role, 'audit.read')}
        onEditText={editText}
      />
      {project && inherited.length > 0 && (
        <InheritedCard
          applicationId={id}
          project={project}
          inherited={inherited}
          onOverride={manages ? (key) => open(override + key) : undefined}
        />
      )}
      {manages && overridden !== undefined && (
        <VariableDialog
          list={list}
          variable={undefined}
          name={overridden}
          onPasteFile={editText}
          onClose={close}
        />
      )}
    </>
  )
}

const ofContainers = {
  title: 'Environment',
  description: 'Environment variables of the application’s containers.',
  empty: 'Add variables for configuration, such as a database URL or a password.',
}
const ofFile = {
  title: 'Environment',
  description:
    'Values for ${NAME} in the compose file. Services receive only the variables that the file passes to them.',
  empty: 'Add variables to replace ${NAME} in the compose file, such as a password, a tag or a database URL.',
}

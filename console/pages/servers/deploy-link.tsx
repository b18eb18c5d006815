import { useNewApplicationDraft } from '../../areas/applications/new/new-draft-store.ts'
import { isStarted } from '../../areas/applications/new/new-draft.ts'
import { newServerApplicationPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'

/**
 * Links to a new application on this server, or back to the application that the user started before adding the server.
 */
export const DeployLink = ({ serverId }: { serverId: string }) => (
  <ButtonLink variant="primary" to={newServerApplicationPath(serverId)}>
    {isStarted(useNewApplicationDraft()) ? 'Continue with your application' : 'Deploy an application'}
  </ButtonLink>
)

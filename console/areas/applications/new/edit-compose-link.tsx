import { FileCode } from 'lucide-react'
import { applicationPath } from '../../../paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'

export const EditComposeLink = ({ applicationId }: { applicationId: string }) => (
  <ButtonLink to={`${applicationPath(applicationId, 'settings')}#compose`}>
    <FileCode aria-hidden />
    Edit the compose file
  </ButtonLink>
)

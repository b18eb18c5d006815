import { useQuery } from '@tanstack/react-query'
import { cloudTokenQuery } from '../areas/cloud-tokens/queries.ts'
import { DeleteServerButton } from '../areas/servers/delete-server-dialog.tsx'
import type { Server } from '../areas/servers/queries.ts'
import { cloudTokensPath } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'

/** Out of a creation that has to wait, which may be for days: to the token, where its cloud does not take that; or out of it all. */
export function WaitingWaysOut({ server }: { server: Server }) {
  return (
    <>
      {server.cloud?.cloud_token_id && <ToRefused tokenId={server.cloud.cloud_token_id} />}
      <DeleteServerButton>Delete</DeleteServerButton>
    </>
  )
}

function ToRefused({ tokenId }: { tokenId: string }) {
  const { data: token } = useQuery(cloudTokenQuery(tokenId))
  if (!token || token.error === null) return null
  return <ButtonLink to={cloudTokensPath}>Cloud tokens</ButtonLink>
}

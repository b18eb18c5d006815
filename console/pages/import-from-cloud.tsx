import { TokenPicker } from '../areas/cloud-tokens/token-picker.tsx'
import { useChosenToken } from '../areas/cloud-tokens/use-chosen-token.ts'
import { useProviderName } from '../areas/cloud-tokens/use-provider-name.ts'
import { AccountServers } from '../areas/imports/account-servers.tsx'
import { useParam } from '../lib/use-param.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LetIn } from './let-in.tsx'

/** Those that were picked stand in the address: after a reload one goes on where one was. */
export function ImportFromCloud() {
  const [picked, setPicked] = useParam('servers')
  const { token } = useChosenToken()
  const nameOf = useProviderName()
  if (picked !== '')
    return (
      <>
        {picked.split(',').map((id, index) => (
          <LetIn key={id} id={id} opened={index === 0} />
        ))}
        <div>
          <Button variant="ghost" onClick={() => setPicked('')}>
            Import more servers
          </Button>
        </div>
      </>
    )
  return (
    <>
      <Card title="Cloud account" description="Its servers are asked for with a token that is saved here.">
        <TokenPicker />
      </Card>
      {token && (
        <AccountServers
          key={token.id}
          token={token}
          provider={nameOf(token.provider)}
          onImported={(ids) => setPicked(ids.join(','))}
        />
      )}
    </>
  )
}

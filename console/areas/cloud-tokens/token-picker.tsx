import { Cloud, Plus } from 'lucide-react'
import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useDialog } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { BrandName } from '../../ui/brand/brand-logo.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceCards } from '../../ui/form/choice-cards.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AddTokenDialog } from './token-dialogs.tsx'
import { type CloudToken, useChosenToken, useProviderName } from './queries.ts'

interface TokenPickerProps {
  name?: string
  error?: string | undefined
}

const dialogName = 'add-cloud-token'

export function TokenPicker({ name = 'cloud_token_id', error }: TokenPickerProps) {
  const { tokens, token, query } = useChosenToken()
  const [, choose] = useParam('token')
  const { dialog, open, close } = useDialog()
  const [params, setParams] = useSearchParams()
  const added = useRef(false)
  const nameOf = useProviderName()

  /** Selects the new token. The history entry of the dialog is replaced, so that Back returns to the previous page. */
  function take({ id }: CloudToken) {
    added.current = true
    const after = new URLSearchParams(params)
    after.delete('dialog')
    after.set('token', id)
    setParams(after, { replace: true })
  }

  function show() {
    added.current = false
    open(dialogName)
  }

  const add = (
    <Button onClick={show}>
      <Plus aria-hidden />
      Add cloud token
    </Button>
  )
  if (!tokens)
    return (
      <QueryFallback
        query={query}
        failed="Could not load cloud tokens"
        skeleton={<Skeleton className="h-16" />}
      />
    )
  return (
    <>
      {tokens.length === 0 ? (
        <EmptyState icon={Cloud} title="No cloud tokens yet" action={add}>
          Add an API token to create and manage servers in your Hetzner, DigitalOcean or Vultr account.
        </EmptyState>
      ) : (
        <div className="flex flex-col items-start gap-3 [&>fieldset]:w-full">
          <ChoiceCards
            name={name}
            legend="Cloud account"
            columns={2}
            options={tokens.map((cloudToken) => ({
              value: cloudToken.id,
              title: (
                <BrandName brand={cloudToken.provider} fallback={<Cloud />}>
                  {cloudToken.name}
                </BrandName>
              ),
              text: <About token={cloudToken} provider={nameOf(cloudToken.provider)} />,
            }))}
            value={token?.id ?? ''}
            onChange={choose}
            error={error}
          />
          {add}
        </div>
      )}
      {dialog === dialogName && (
        <AddTokenDialog onAdded={take} onClose={() => (added.current ? undefined : close())} />
      )}
    </>
  )
}

/** Describes a token. The provider is omitted if the token has the same name. */
const About = ({ token: { name, account, error }, provider }: { token: CloudToken; provider: string }) => (
  <>
    {[name !== provider && provider, account].filter(Boolean).join(' · ')}
    {error !== null && <span className="block text-red-ink">{error}</span>}
  </>
)

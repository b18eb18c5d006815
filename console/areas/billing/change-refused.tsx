import { Failure } from '../../lib/failure.ts'
import { ButtonAnchor } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PortalButton } from './portal-button.tsx'

/** Why the plan is still the old one, and what helps. */
export function ChangeRefused({ error }: { error: Error }) {
  const [code, url] = error instanceof Failure ? [error.code, error.url] : []
  return (
    <div role="alert">
      <Notice
        tone="red"
        title="The plan was not changed"
        action={
          code === 'payment_failed' ? (
            <PortalButton>Change the card</PortalButton>
          ) : (
            code === 'payment_due' && url !== undefined && <ButtonAnchor href={url}>Pay now</ButtonAnchor>
          )
        }
      >
        {error.message || 'Try again in a moment.'}
      </Notice>
    </div>
  )
}

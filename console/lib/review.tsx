import { Notice } from '../ui/notice.tsx'
import { AddressText } from './address-text.tsx'

/** What is no reason not to, but should not surprise anybody. */
export const ReviewWarnings = ({ warnings }: { warnings: readonly string[] }) =>
  warnings.length > 0 && (
    <Notice tone="yellow" title="Worth knowing before">
      <ul className="flex flex-col gap-1">
        {warnings.map((warning) => (
          <li key={warning}>
            <AddressText revealable>{warning}</AddressText>
          </li>
        ))}
      </ul>
    </Notice>
  )

/** What will happen, in the words of the server. */
export const ReviewSteps = ({ steps }: { steps: readonly string[] }) => (
  <ol className="flex list-decimal flex-col gap-2 pl-5 wrap-anywhere marker:text-muted marker:tabular-nums">
    {steps.map((step) => (
      <li key={step} className="pl-1">
        <AddressText revealable>{step}</AddressText>
      </li>
    ))}
  </ol>
)

import { cloudflarePreset } from '../../../contract/shared/trusted-proxies.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Textarea } from '../../ui/form/input.tsx'
import { FormCard } from '../../lib/form/form-card.tsx'
import { useUpdateServer } from './mutations.ts'
import type { Server } from './queries.ts'

const readEntries = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')

/** No proxy is trusted by default, because visitors could then forge the address that applications see. */
export function TrustedProxiesCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  return (
    <FormCard
      title="Trusted proxies"
      description="Add your CDN or load balancer so that applications receive the visitor’s address in X-Forwarded-For."
      fields={{ trusted_proxies: 'optional' }}
      saved={{ trusted_proxies: server.trusted_proxies.join('\n') }}
      save={async ({ trusted_proxies: text }) => {
        await update.mutateAsync({ trusted_proxies: readEntries(text) })
        return undefined
      }}
    >
      {({ typed, errors, onChoose, onInput }) => {
        const entries = readEntries(typed.trusted_proxies)
        return (
          <div className="flex flex-col items-start gap-3">
            <div className="w-full">
              <Field
                label="Addresses and ranges"
                optional
                help="One per line, such as 10.0.0.0/8 or cloudflare. Trust only proxies that you use."
                error={errors['trusted_proxies']}
              >
                <Textarea
                  name="trusted_proxies"
                  mono
                  rows={4}
                  value={typed.trusted_proxies}
                  onChange={onInput}
                />
              </Field>
            </div>
            {!entries.includes(cloudflarePreset) && (
              <Button onClick={() => onChoose('trusted_proxies', [...entries, cloudflarePreset].join('\n'))}>
                Add Cloudflare
              </Button>
            )}
          </div>
        )
      }}
    </FormCard>
  )
}

import { Plus, X } from 'lucide-react'
import { readRoute, type ServiceRoute, writeRoute } from '../../lib/service-route.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { ComposeService } from './compose-check.ts'
import { sortByName } from './service-labels.ts'

interface ServiceDomainsProps {
  routes: readonly string[]
  services: readonly ComposeService[]
  errors: Readonly<Record<string, string>>
  onChange: (routes: string[]) => void
}

export function ServiceDomains({ routes, services, errors, onChange }: ServiceDomainsProps) {
  const change = (index: number, route: ServiceRoute) => onChange(routes.with(index, writeRoute(route)))
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">
        Domains<span className="font-normal text-muted"> (optional)</span>
      </legend>
      <p className="text-sm text-muted">
        Each domain routes to one service. HTTPS is automatic. Prefix with http:// to disable it.
      </p>
      {routes.map((line, index) => (
        <Row
          // Rows have no identity except their position. oxlint-disable-next-line no-array-index-key
          key={index}
          route={readRoute(line)}
          services={services}
          errors={errorsOf(errors, index)}
          onChange={(route) => change(index, route)}
          onRemove={() => onChange(routes.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button onClick={() => onChange([...routes, writeRoute(likeliestRoute(services))])}>
          <Plus aria-hidden />
          Add domain
        </Button>
      </div>
    </fieldset>
  )
}

interface RowProps {
  route: ServiceRoute
  services: readonly ComposeService[]
  errors: { address: string | undefined; service: string | undefined; port: string | undefined }
  onChange: (route: ServiceRoute) => void
  onRemove: () => void
}

function Row({ route, services, errors, onChange, onRemove }: RowProps) {
  const chosen = services.find(({ name }) => name === route.service)
  function choose(service: string) {
    const [first] = services.find(({ name }) => name === service)?.ports ?? []
    onChange({ ...route, service, port: String(first ?? '') })
  }
  return (
    <div className="grid grid-cols-[1fr_minmax(8rem,12rem)_6rem_auto] items-start gap-2 max-sm:grid-cols-[minmax(0,1fr)_3.5rem_2.5rem] max-sm:rounded-md max-sm:border max-sm:border-line max-sm:p-3">
      <div className="max-sm:col-span-2">
        <Field label="Domain" error={errors.address}>
          <Input
            mono
            value={route.address}
            onChange={({ target }) => onChange({ ...route, address: target.value })}
            placeholder="app.example.com"
          />
        </Field>
      </div>
      <Field label="Service" error={errors.service}>
        <Select
          options={sortByName(services).map(({ name }) => ({ value: name, label: name }))}
          value={route.service}
          onValueChange={choose}
        />
      </Field>
      <div className="max-sm:col-span-2">
        <Field label="Port" error={errors.port}>
          <Input
            autoComplete="off"
            value={route.port}
            onChange={({ target }) => onChange({ ...route, port: target.value.replaceAll(/\D/g, '') })}
            inputMode="numeric"
            placeholder={String(chosen?.ports[0] ?? 80)}
          />
        </Field>
      </div>
      <div className="pt-6.5 max-sm:col-start-3 max-sm:row-start-1">
        <Button
          variant="ghost"
          icon
          aria-label={`Remove ${route.address || 'this domain'}`}
          onClick={onRemove}
        >
          <X aria-hidden />
        </Button>
      </div>
    </div>
  )
}

const errorsOf = (errors: ServiceDomainsProps['errors'], index: number) => ({
  address: errors[`domains.${index}.host`] ?? errors[`domains.${index}.path`] ?? errors[`domains.${index}`],
  service: errors[`domains.${index}.service`],
  port: errors[`domains.${index}.port`],
})

const commonPorts = [80, 443, 8080, 3000, 8000, 5000]

function likeliestRoute(services: readonly ComposeService[]): ServiceRoute {
  const named = services.flatMap(({ name, ports }) => ports.map((port) => ({ service: name, port })))
  const service =
    commonPorts.flatMap((port) => named.find((candidate) => candidate.port === port) ?? [])[0] ?? named[0]
  return {
    service: service?.service ?? services[0]?.name ?? '',
    port: String(service?.port ?? ''),
    address: '',
  }
}

import { useQuery } from '@tanstack/react-query'
import { Boxes } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { servicesQuery } from './queries.ts'
import { ServiceCard } from './services-card.tsx'
import type { ContainerColumns } from './services-containers.tsx'

interface ServicesListProps {
  application: { id: string; server: { id: string } }
  columns: ContainerColumns
  opensShells: boolean
  manages: boolean
}

export function ServicesList({ application, ...rest }: ServicesListProps) {
  const { data: services, error, refetch } = useQuery(servicesQuery(application.id))
  if (services && services.length > 0)
    return services.map((service) => (
      <ServiceCard key={service.name} application={application} service={service} {...rest} />
    ))
  return (
    <div className="rounded-lg border border-line bg-raised">
      {services && (
        <EmptyState icon={Boxes} title="No services yet">
          Services appear here after the first deployment.
        </EmptyState>
      )}
      {!services && error && (
        <Problem title="Couldn't load the services" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      )}
      {!services && !error && (
        <div aria-busy="true" className="flex flex-col gap-3 p-4">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-4 w-80 max-w-full" />
          <Skeleton className="h-4 w-64 max-w-full" />
        </div>
      )}
    </div>
  )
}

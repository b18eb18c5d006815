import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { Gauge } from '../../ui/gauge.tsx'
import type { Server } from './queries.ts'
import { usageMeters, useUsageAge } from './server-usage.tsx'

export function ServerGauges({ server }: { server: Server }) {
  const { usage, cpus, containers, applications } = server
  const { cpu, memory, disk } = usageMeters(server)
  const free = (total: number, used: number) => `${formatBytes(Math.max(total - used, 0))} free`
  const age = useUsageAge(server)
  const running = containers.total === 0 ? null : containers.running / containers.total
  return (
    <section aria-label="Usage" className="grid grid-cols-2 gap-3 min-[1180px]:grid-cols-4">
      <GaugeCard {...cpu} figure={cpus === null ? '' : formatCount(cpus, 'core')} age={age} />
      <GaugeCard
        {...memory}
        figure={memory.text ?? ''}
        note={usage ? free(usage.memory_total, usage.memory_used) : ''}
        age={age}
      />
      <GaugeCard
        {...disk}
        figure={disk.text ?? ''}
        note={usage ? free(usage.disk_total, usage.disk_used) : ''}
        age={age}
      />
      <GaugeCard
        label="Containers"
        share={running}
        calm
        figure={`${containers.running} of ${containers.total} running`}
        note={formatCount(applications, 'application')}
      />
    </section>
  )
}

interface GaugeCardProps {
  label: string
  share: number | null
  figure: string
  note?: string
  /** Age of the metrics, if they are not current. */
  age?: string | undefined
  /** A high share is good for this gauge, so it gets no warning color. */
  calm?: boolean
}

const GaugeCard = ({ label, share, figure, note, age, calm }: GaugeCardProps) => (
  <div className="flex min-w-0 items-center gap-4 rounded-lg border border-line bg-raised p-4 max-sm:flex-col max-sm:gap-2 max-sm:p-3 max-sm:text-center">
    <span className={age === undefined ? undefined : 'grayscale'}>
      <Gauge
        label={label}
        share={share}
        text={[figure, age].filter(Boolean).join(', ')}
        calm={calm ?? false}
      />
    </span>
    <div className="min-w-0">
      <h2 className="font-medium">{label}</h2>
      <p className="text-sm text-muted tabular-nums">{figure}</p>
      {note !== undefined && <p className="text-sm text-muted tabular-nums">{note}</p>}
      {age !== undefined && <p className="text-sm text-yellow-ink">{age}</p>}
    </div>
  </div>
)

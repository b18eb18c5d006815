import {
  Background,
  type Node,
  type NodeTypes,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { Maximize, Minus, Plus } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useMedia } from '../../../lib/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import type { ProjectMap } from '../queries.ts'
import { arrowDirection, findNeighbor } from './map-keys.ts'
import { fitScale, layoutMap, type MapLayout } from './map-layout.ts'
import { MapLegend, MapLineLayer } from './map-line-layer.tsx'
import { drawLines } from './map-lines.ts'

interface MapCanvasProps {
  label: string
  map: ProjectMap
  /**
   * Returns the nodes in reading order, which the Tab key follows. The ID of an application node is the ID of the
   * application.
   */
  nodesOf: (layout: MapLayout) => Node[]
  nodeTypes: NodeTypes
  note?: ReactNode
}

export const MapCanvas = (props: MapCanvasProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
)

const mostZoom = 1.15
const controlsHeight = 36
const step = 80

function Canvas({ label, map, nodesOf, nodeTypes, note }: MapCanvasProps) {
  const width = useStore((state) => state.width) || 1120
  const height = (useStore((state) => state.height) || 620) - controlsHeight
  const layout = useMemo(() => layoutMap(map, { width, height }), [map, width, height])
  const lines = useMemo(() => drawLines(map, layout), [map, layout])
  const nodes = useMemo(() => nodesOf(layout), [nodesOf, layout])
  const [active, setActive] = useState<string>()
  const { fit, zoomBy, pan, onMoveStart } = useViewport(layout, { width, height })

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = arrowDirection(event.key)
    if (event.key === '+' || event.key === '=') zoomBy(1.25)
    else if (event.key === '-') zoomBy(0.8)
    else if (event.key === '0') fit()
    else if (direction && !moveFocus(event, direction)) pan(-direction[0] * step, -direction[1] * step)
    else if (!direction) return
    event.preventDefault()
  }

  function onFocus({ target, currentTarget }: FocusEvent<HTMLElement>) {
    setActive(applicationOf(target))
    const node = target.closest('.react-flow__node')
    if (!node || !target.matches(':focus-visible')) return
    const [box, frame] = [node.getBoundingClientRect(), currentTarget.getBoundingClientRect()]
    const into = (from: number, to: number, least: number, most: number) =>
      from < least + margin ? least + margin - from : Math.min(0, most - margin - to)
    const x = into(box.left, box.right, frame.left, frame.right)
    const y = into(box.top, box.bottom, frame.top, frame.bottom)
    if (x !== 0 || y !== 0) pan(x, y)
  }

  return (
    <ReactFlow
      aria-label={label}
      tabIndex={0}
      nodes={nodes}
      edges={noEdges}
      nodeTypes={nodeTypes}
      minZoom={0.2}
      maxZoom={2}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      proOptions={options}
      onMoveStart={onMoveStart}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={() => setActive(undefined)}
      onPointerOver={({ target }) => setActive(target instanceof Element ? applicationOf(target) : undefined)}
      onPointerLeave={() => setActive(undefined)}
      className="rounded-lg border border-line"
    >
      <Background gap={20} size={1} color="var(--edge)" bgColor="var(--subtle)" />
      <MapLineLayer lines={lines} active={active} />
      <Panel position="bottom-left" className="m-3!">
        <MapLegend lines={lines} />
      </Panel>
      <Panel
        position="bottom-right"
        className="m-3! flex gap-1 rounded-md border border-line bg-raised p-0.5"
      >
        <Control label="Zoom out" keys="−" icon={<Minus aria-hidden />} onClick={() => zoomBy(0.8)} />
        <Control label="Zoom in" keys="+" icon={<Plus aria-hidden />} onClick={() => zoomBy(1.25)} />
        <Control label="Fit to screen" keys="0" icon={<Maximize aria-hidden />} onClick={fit} />
      </Panel>
      {note && (
        <Panel position="top-left" className="m-3! text-sm text-muted">
          {note}
        </Panel>
      )}
    </ReactFlow>
  )
}

const noEdges: [] = []
const options = { hideAttribution: true }
const margin = 12

const applicationOf = (target: Element) =>
  target.closest('.react-flow__node-application')?.getAttribute('data-id') ?? undefined

/** Fits the map to the canvas when either changes its size. Fitting ends when the user moves the map. */
function useViewport(layout: MapLayout, canvas: { width: number; height: number }) {
  const { setViewport, getViewport } = useReactFlow()
  const isCalm = useMedia('(prefers-reduced-motion: reduce)')
  const moved = useRef(false)
  const fitted = useRef(false)
  const { width, height } = layout
  const zoom = Math.max(0.3, Math.min(mostZoom, fitScale(layout, canvas)))
  const x = Math.max(16, (canvas.width - width * zoom) / 2)
  const y = Math.max(16, (canvas.height - height * zoom) / 2)
  const moving = (ms = 150) => ({ duration: isCalm || !fitted.current ? 0 : ms })

  useEffect(() => {
    if (moved.current) return
    void setViewport({ x, y, zoom })
    fitted.current = true
  }, [x, y, zoom, setViewport])

  function zoomBy(factor: number) {
    moved.current = true
    const before = getViewport()
    const to = Math.max(0.2, Math.min(2, before.zoom * factor))
    const keep = (at: number, size: number) => size / 2 - ((size / 2 - at) * to) / before.zoom
    void setViewport(
      { x: keep(before.x, canvas.width), y: keep(before.y, canvas.height), zoom: to },
      moving(),
    )
  }

  return {
    fit: () => {
      moved.current = false
      void setViewport({ x, y, zoom }, moving(200))
    },
    zoomBy,
    pan: (byX: number, byY: number) => {
      moved.current = true
      const before = getViewport()
      void setViewport({ ...before, x: before.x + byX, y: before.y + byY }, moving(100))
    },
    onMoveStart: (event: unknown) => {
      if (event !== null) moved.current = true
    },
  }
}

/** Moves the focus from a link to its neighbor. Returns false if the focus is not on a link of the map. */
function moveFocus(
  { target, currentTarget }: KeyboardEvent<HTMLElement>,
  direction: readonly [number, number],
) {
  if (!(target instanceof HTMLElement) || !target.matches('.react-flow__node a')) return false
  const links = [...currentTarget.querySelectorAll<HTMLElement>('.react-flow__node a')].filter(
    (link) => link !== target,
  )
  const boxes = links.map((link) => boxOf(link))
  links[findNeighbor(boxes, boxOf(target), direction)]?.focus({ preventScroll: true })
  return true
}

const boxOf = (link: HTMLElement) => (link.closest('.react-flow__node') ?? link).getBoundingClientRect()

interface ControlProps {
  label: string
  keys: string
  icon: ReactNode
  onClick: () => void
}

const Control = ({ label, keys, icon, onClick }: ControlProps) => (
  <Tooltip
    content={
      <>
        {label} <kbd>{keys}</kbd>
      </>
    }
  >
    <Button variant="ghost" size="small" icon aria-label={label} onClick={onClick}>
      {icon}
    </Button>
  </Tooltip>
)

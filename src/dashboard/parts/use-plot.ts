import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { onBeforeUnmount, onMounted, type Ref, watch } from 'vue'
import { theme } from '../data/theme.ts'

const height = 220

/** A canvas knows no variables of CSS, and no `light-dark`: an element tells the color. */
export function colorOf(name: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** The colors of an axis in the theme of the moment. */
export const axisColors = () => ({
  stroke: colorOf('--quiet'),
  grid: { stroke: colorOf('--line'), width: 1 },
})

/** Draws a picture in an element, and again when its width, its data or the theme changes. */
export function usePlot(
  place: Readonly<Ref<HTMLElement | null>>,
  options: () => Omit<uPlot.Options, 'width' | 'height'>,
  data: () => uPlot.AlignedData,
): void {
  let plot: uPlot | undefined
  let observer: ResizeObserver | undefined
  const darkness = matchMedia('(prefers-color-scheme: dark)')

  function draw(): void {
    plot?.destroy()
    const at = place.value
    if (!at) return
    const shared = { legend: { show: false }, cursor: { show: false } }
    plot = new uPlot({ ...shared, ...options(), width: at.clientWidth, height }, data(), at)
  }

  onMounted(() => {
    draw()
    observer = new ResizeObserver(() => {
      if (place.value) plot?.setSize({ width: place.value.clientWidth, height })
    })
    if (place.value) observer.observe(place.value)
    darkness.addEventListener('change', draw)
  })
  onBeforeUnmount(() => {
    observer?.disconnect()
    darkness.removeEventListener('change', draw)
    plot?.destroy()
  })
  watch(data, (now) => plot?.setData(now))
  watch(theme, draw, { flush: 'post' })
}

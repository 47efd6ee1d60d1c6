import { type Theme, useRouter } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h, nextTick, onMounted } from 'vue'
import TryIt from '../../console/TryIt.vue'
import MissingPage from '../../MissingPage.vue'
import PageTools from '../../PageTools.vue'
import { openErrorPage, revealTarget, toggleFields } from '../../reveal.ts'
import { chooseSample, showSamples } from '../../samples.ts'
import './style/colors.css'
import './style/navigation.css'
import './style/text.css'
import './style/parts.css'
import './style/fields.css'
import './style/details.css'
import './style/errors.css'
import './style/charts.css'
import './style/diagrams.css'
import './style/console.css'
import './style/layout.css'

/** What a page needs once it is there. */
function showPage(): void {
  showSamples()
  revealTarget()
}

/** The default theme without its web font, with what long nested pages need. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(PageTools),
      'not-found': () => h(MissingPage),
    }),
  enhanceApp: ({ app }) => {
    app.component('TryIt', TryIt)
  },
  setup: () => {
    const router = useRouter()
    onMounted(() => {
      openErrorPage()
      showPage()
      router.onAfterRouteChange = () => void nextTick(showPage)
      addEventListener('hashchange', revealTarget)
      addEventListener('click', toggleFields)
      addEventListener('change', chooseSample)
    })
  },
} satisfies Theme

import { type Theme, useRouter } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h, nextTick, onMounted } from 'vue'
import TryIt from '../../console/TryIt.vue'
import PageTools from '../../PageTools.vue'
import { revealTarget, toggleFields } from '../../reveal.ts'
import './style/colors.css'
import './style/navigation.css'
import './style/text.css'
import './style/parts.css'
import './style/fields.css'
import './style/details.css'
import './style/errors.css'
import './style/charts.css'
import './style/console.css'
import './style/layout.css'

/** The default theme without its web font, with what long nested pages need. */
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(PageTools) }),
  enhanceApp: ({ app }) => {
    app.component('TryIt', TryIt)
  },
  setup: () => {
    const router = useRouter()
    onMounted(() => {
      revealTarget()
      router.onAfterRouteChange = () => void nextTick(revealTarget)
      addEventListener('hashchange', revealTarget)
      addEventListener('click', toggleFields)
    })
  },
} satisfies Theme

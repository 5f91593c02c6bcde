import { headName, integer } from '../../i18n/numbers'
import { hasNoHover } from '../../ui/pointer'
import type { Messages } from './messages.en'

const source = (linear: boolean) =>
  `RoFormer(Su 외 2021, arXiv 2104.09864) 식 ${linear ? 19 : 2}의 가중치를 exBERT와 BertViz처럼 선으로 그렸습니다. 굵기와 짙기는 가중치를 따르며, 최소 가중치보다 작은 선은 그리지 않습니다.${linear ? ' 음수인 가중치도 그리지 않습니다.' : ''} 선은 헤드가 어디를 읽는지를 말할 뿐, 읽은 것으로 무엇을 하는지는 말하지 않습니다. 어텐션은 설명이 아닙니다.`

export default {
  get help(): string {
    return hasNoHover()
      ? '쿼리(왼쪽)는 저마다 키(오른쪽)를 봅니다. 선이 굵을수록 가중치가 큽니다. 토큰을 길게 누르면 그 선만 남습니다.'
      : '쿼리(왼쪽)는 저마다 키(오른쪽)를 봅니다. 선이 굵을수록 가중치가 큽니다. 토큰을 가리키면 그 선만 남습니다.'
  },
  source: source(false),
  sourceOf: source,
  label: (layer, head) =>
    `${integer(layer)}층 ${integer(head)}번 헤드의 어텐션을 나타낸 선. 위, 아래 화살표는 쿼리를, 왼쪽, 오른쪽 화살표는 키를 옮기고, Page 키는 쿼리 열 개씩, Home과 End는 처음과 끝으로 갑니다.`,
  queryColumn: (cross) => (cross ? '텍스트' : '쿼리'),
  keyColumn: (cross) => (cross ? '원문' : '키'),
  head: (letter, layer, head) => `${letter} ${headName({ layer, head })}`,
  least: '최소 가중치',
  none: '여기에는 선을 그을 만큼 큰 가중치가 없습니다.',
  spoken: (query, m, key, n, weight) => `쿼리 ‘${query}’ ${m}: 가장 많이 보는 키는 ‘${key}’ ${n}, 가중치 ${weight}`,
  table: (layer, head) => `선이 있는 가중치, 헤드 ${headName({ layer, head })}`,
  header: ['쿼리 위치', '쿼리', '키 위치', '키', '가중치'],
} satisfies Messages

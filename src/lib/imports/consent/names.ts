/** Words of a name in lower case, without accents: `UNSUB_TIME` is `unsub time`. */
export const wordsOfName = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const NEGATIVE =
  /\bun ?sub|\bopt(ed)? ?outs?\b|\boptout|\bdo ?not ?(bulk ?)?(e ?mail|mail|contact|send|market)|\bdnc\b|\b(no|not|non|never|nicht|niet) ?(bulk ?)?(e ?mails?|mails?|mailings?|newsletter|marketing|subscrib|opted|abonn|suscri|iscritt|inscri|ingeschreven)|abgemeldet|abmeld|ausgetragen|austrag|desabonn|desinscri|desuscri|disiscri|\bbajas?\b|descadastr|uitgeschreven|uitschrij|afgemeld|afmeld|avmeld|frameld|avregistr|avprenumer|odhlas|wypis|leiratkoz|dezabon|\bperu(ut|t)|\bclean(ed)?\b|bounce|quarantin|\bineligib|\bun ?(?:deliverable|mailable)|suppress|exclu(ded|sion)|black ?list|block ?list|complain|\bspam|\bjunk\b|(e ?mail|mail|newsletter|marketing|sending|delivery) ?(is )?(disabled|blocked|off|stopped|suspended|invalid|stop)|(e ?mail|mail) ?\d* (is )?(bad|invalid)|\bbad e?mail|\b(on )?hold\b|\bstop (time|date|at|on|status|reason)|\bstopped\b|wider(ruf|spr)|revoked|withdrawn|\brobinson|отпис|відпис|配信停止|配信解除|購読解除|退订|退訂|取消订阅|取消訂閱|수신거부|구독 ?취소/;
const POSITIVE =
  /subscri|\bopt(ed)? ?in|\boptin|\bopt (state|status)|consent|\baccepts?\b|\ballow(s|ed)?$|\ballow(s|ed)? (e ?mail|mail|marketing|contact|promo|communicat|us|to)|\bagree(s|d)?\b|permission|e ?mail ?marketing|marketing ?(e ?mails?|ok|allowed|status|contact|opt)|\bbulk e?mail|\bnewsletters?\b|\bgdpr|\bdsgvo|einwilligung|zustimmung|angemeldet|abonn|\binscri|suscri|iscritt|ingeschreven|tilmeld|pameld|prenumer|odber|\bmailable|contactable|\bsendable|\bcan (e ?)?mail|(e ?mail|contact) ?(is )?enabled|eligib|\b(contact|e ?mail|mail(ing)?|comm(unication)?s?|marketing|subscription) pref|подпис|підпис|购?订阅|訂閱|購読|구독/;
/** Consent and newsletters by the words of other languages. */
const ABROAD =
  /\brgpd\b|\blgpd\b|\baccord\b|consens|samtyk|samtyck|toestemming|\bzgod[ay]\b|souhlas|\bsuhlas|suostumus|hozzajarul|\bonay\b|\bizin\b|соглас|згода|同意|동의|nyhe[td]s ?brev|nieuws ?brie[fv]|\bboletin|infolettre|biuletyn|zpravodaj|hirlevel|uutiskirje|\bbulten|рассылк|розсилк|メルマ|メールマ|ニュースレター|뉴스레터|电子报|電子報/;
/** A word that turns the ones behind it. */
const DENYING =
  /(^| )(no|not|non(?! profit)|never|without|kein\w*|nicht|nie|ohne|ne|pas|sans|sin|senza|nao|sem|nenhum\w*|geen|niet|zonder|ej|inte|ikke|ingen|inget|utan|uten|uden|bez|nem|ilman|без|не|нет|ні)( |$)/;
const SENDING =
  /kontakt|contatt|anschreib|zusend|\bsend|versend|envoy|envi[ao]|inviar|invi[ao]\b|wysy[lł]|otrzym|verzend|skick|utskick|zasil|posil|отправ|посыл|присыл|надсил|пиш|писать/;
const DOUBTFUL_NO =
  /\b(cancel|inactiv|disabled|deactivat|deaktiv|deleted|removed|archived|blocked|banned|invalid|inaktiv|gekundigt|gesperrt|geloscht|resili|annul|inactif|inattiv|churn|declin|refus|reject|\w* suspended)/;
const DOUBTFUL_YES = /\b(active|enabled|confirmed|reachable|aktiv|actif|activo|attivo|ativo)\b/;
const STATE =
  /(^| )(status|state|estado|statut|stato|estatus|situacao|zustand|stav|tila|durum|statusz|stan|tilstand|статус|состояние|стан|ステータス|状態|状态|狀態|상태)( |$)/;
/** States of a person in other matters. */
const LIFE = /\b(marital|civil|employment|relationship|familien\w*|immigration)\b/;
/** Columns that go with an answer and are none. */
const ASIDE =
  /\b(track|tracking|link|url|uri|href|token|hash|page|score|risk|rate|rating|percent|soft|text|wording|ip|version|method|plan|digest \w+|subscriptions? (type|id|name|price|amount|start|end|tier|item|count))s?\b/;
const BESIDE_YES = /\b(id|name|source|opens?|opened|clicks?|clicked|sent|count|via|origin)s?\b/;
/** Columns about another way to reach a person. */
const OTHER_WAY = /\b(sms|phone|mobile|push|whats ?app|calls?|postal|fax|viber)\b/;
const PURCHASE = /\b(active|paid|paying|premium) subscri|\b(paid|paying|is premium)\b/;
const SELLS =
  /\b(plan|billing|stripe|trial|premium|tier|membership|payment|invoice|orders?|price|amount|currency|mrr|arr|product|interval|seats|quantity|customer id|subscription (status|state))\b/;
const MAILS =
  /\b(utm|opens?|opened|clicks?|clicked|campaigns?|newsletters?|lists?|tags?|referr\w*|opt ?in|subscribers?)\b/;
/** Columns that say it where their cells are truths or states. */
const SUBJECT =
  /mail|marketing|newsletter|\bnews\b|\boffers?\b|promo|contact|deliver|subscri|notif|receive|\bupdates?\b|hear from|communicat|\bsend\b|\bwerbung|angebote|\bofertas?\b|\boffres?\b|correo|courriel|reklam|reclame|kampan|publicidad|publicit|pubblicit/;
const WISHED =
  /\b(receives?|wants?|wishes|send|get|likes?)\b|promo|notif|hear from|^(e ?)?mail(s|ing|ings)?$|marketing|contact (me )?(by|via)|deliverable|werbung|angebote|ofertas?\b|offres?\b/;
/** Columns in which "inactive" or "disabled" may mean either answer. */
const STOPPED = /disabled|deactiv|inactiv|invalid|\bbad\b|\bhold\b|stop|suspend|blocked/;
/** Words that may turn a name round: `IsOptInPending`. */
const TURNED = /pending|awaiting|missing|declin|refus|denied|reject|expired|removed|without|lost\b|fail|required/;
/** Columns of free text about a "no". */
const REASON = /reason|comment|feedback|notes?\b|grund|motif|motivo/;
const BOTH = /opt(ed)? ?in\b.*opt(ed)? ?out|opt(ed)? ?out.*\bopt(ed)? ?in/;

const isDenied = (name: string): boolean => {
  const [denying] = DENYING.exec(name) ?? [];
  if (denying === undefined) return false;
  const behind = name.slice(name.indexOf(denying) + denying.length - 1);
  return [POSITIVE, ABROAD, SUBJECT, SENDING].some((words) => words.test(behind));
};

/** Subject of a column by the words of its name: see {@link wordsOfName}. */
export const aboutOf = (name: string) => {
  if (OTHER_WAY.test(name) && !/mail/.test(name)) return "another way";
  if (ASIDE.test(name) || PURCHASE.test(name) || LIFE.test(name)) return "aside";
  if (BOTH.test(name)) return "both";
  if (NEGATIVE.test(name)) return "no";
  if (BESIDE_YES.test(name)) return "unknown";
  if (isDenied(name)) return "no";
  if (POSITIVE.test(name) || ABROAD.test(name)) return TURNED.test(name) ? "both" : "yes";
  if (STATE.test(name)) return "state";
  if (DOUBTFUL_NO.test(name)) return "perhaps no";
  if (DOUBTFUL_YES.test(name)) return "perhaps yes";
  if (SUBJECT.test(name)) return WISHED.test(name) ? "wish" : "mail";
  return "unknown";
};

const FEW: ReadonlySet<ReturnType<typeof aboutOf>> = new Set(["wish", "mail"]);
const NONE: ReadonlySet<ReturnType<typeof aboutOf>> = new Set(["another way", "aside", "unknown"]);

/** Cells of a column that are read by its name: each, those of few different ones, or only plain words for "no". */
export const readBy = (column: string): "each" | "few" | "none" => {
  const about = aboutOf(wordsOfName(column));
  return NONE.has(about) ? "none" : FEW.has(about) ? "few" : "each";
};

/** True where "disabled" may mean either answer. */
export const isStopped = (name: string): boolean => STOPPED.test(name);

/** True where any text is a "no". */
export const isReason = (name: string): boolean => REASON.test(name);

/** True for columns of products, and not of a mailing list. */
export const sellsBy = (names: readonly string[]): boolean =>
  names.some((name) => SELLS.test(name)) && !names.some((name) => MAILS.test(name));

const CLEAN = /\bclean\b/g;
/** Files of people who are gone. */
const GONE =
  /\b(removed|cancel(l?ed)?|cancellations?|inactive|deleted|dead|invalid|former|ex (customers?|members?|subscribers?)|lapsed|churned|bounces|blocked|banned|archived|deactivated|declined|rejected|expired|gekundigt|kundigungen|geloscht\w*|inaktiv\w*|gesperrt\w*|ehemalige\w*|resilie\w*|annule\w*|inactif\w*|desactiv\w*|supprime\w*|cancelad\w*|inactiv[oa]s?|eliminad\w*|cancellat\w*|inattiv\w*|opzeggingen|usunie\w*|nieaktywn\w*)\b/;

/** True where the name of a file says that its people get no mail: `unsubscribed_members_export.csv`. */
export const isNoByName = (file: string): boolean => {
  const name = wordsOfName(file.replace(/\.\w{2,4}$/, "")).replaceAll(CLEAN, " ");
  return NEGATIVE.test(name) || GONE.test(name);
};

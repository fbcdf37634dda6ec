import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ofTeam } from "./root.tsx";

const mails = createRoute({
  getParentRoute: () => ofTeam,
  path: "/sent",
  component: lazyRouteComponent(() => import("../pages/mail/mails.tsx"), "Mails"),
});
const mail = createRoute({
  getParentRoute: () => ofTeam,
  path: "/sent/$sendId",
  component: lazyRouteComponent(() => import("../pages/mail/mail.tsx"), "Mail"),
});
const campaigns = createRoute({
  getParentRoute: () => ofTeam,
  path: "/campaigns",
  component: lazyRouteComponent(() => import("../pages/campaigns/campaigns.tsx"), "Campaigns"),
});
const campaign = createRoute({
  getParentRoute: () => ofTeam,
  path: "/campaigns/$campaignId",
  component: lazyRouteComponent(() => import("../pages/campaigns/campaign.tsx"), "Campaign"),
});
const workflows = createRoute({
  getParentRoute: () => ofTeam,
  path: "/workflows",
  component: lazyRouteComponent(() => import("../pages/workflows/workflows.tsx"), "Workflows"),
});
const newWorkflow = createRoute({
  getParentRoute: () => ofTeam,
  path: "/workflows/new",
  component: lazyRouteComponent(() => import("../pages/workflows/new/new-workflow.tsx"), "NewWorkflow"),
});
const workflow = createRoute({
  getParentRoute: () => ofTeam,
  path: "/workflows/$workflowId",
  component: lazyRouteComponent(() => import("../pages/workflows/workflow.tsx"), "WorkflowPage"),
});

const message = createRoute({
  getParentRoute: () => ofTeam,
  path: "/messages/$emailMessageId",
  component: lazyRouteComponent(() => import("../pages/message/message.tsx"), "MessagePage"),
});

export const messages = [message, mails, mail, campaigns, campaign, workflows, newWorkflow, workflow];
